import type { Texts } from '#kit/language.ts'

const english = {
  lead: 'A demo application that people log in to with their credential. It receives an ID token from the IDP and trusts nothing else.',
  logIn: 'Log in',
  logInAgain: 'Log in again',
  signOut: 'Log out',
  how: 'What happens',
  steps: [
    'The relying party sends the browser to the IDP: an OpenID Connect request with state, nonce and PKCE.',
    'The IDP shows a QR code. The wallet scans it and presents a credential.',
    'The verifier checks the credential, its issuer and the trust chain.',
    'The browser returns with a code. The relying party exchanges it for tokens and greets the user.',
  ],
  facts: 'The client',
  client: 'Client ID',
  provider: 'Provider',
  redirectAddress: 'Redirect URI',
  /** Before the name. */
  hello: 'Hello,',
  /** Before the organization. */
  actsFor: 'You are acting for',
  signedIn: 'Logged in',
  verified: 'Signature, issuer, audience, nonce and times of the ID token are verified.',
  powers: 'Powers',
  powersLead: 'What this login may do for the organization.',
  noPowers: 'The ID token contains no powers.',
  powerFunction: 'Function',
  domain: 'Domain',
  actions: 'Actions',
  idToken: 'The ID token',
  idTokenLead: 'Everything that the relying party knows about this login.',
  /** A claim that the profile does not describe. */
  ownClaim: 'Added by an administrator of the provider',
  header: 'Header',
  encoded: 'Encoded token',
  noSession:
    'The IDP does not keep sessions. After you log out, the next login asks the wallet again.',
  failed: 'The login failed',
  /** By error code. */
  reasons: {
    access_denied:
      'The IDP did not confirm the login. It was cancelled, or no presentation was accepted.',
    login_required: 'The IDP requires a new login.',
    provider_unavailable:
      'The IDP does not respond. Check its health on the home page, and whether a fault is switched on.',
    invalid_grant: 'The IDP rejected the code: it was already used or has expired. Log in again.',
  } as Readonly<Record<string, string>>,
  reason: 'The relying party rejected the response of the IDP.',
  /** The verifier rejected the presentation. */
  refused: 'The verifier rejected the presentation for these reasons:',
  /** Before the name of a service. */
  unavailable: 'No response from',
  /** The verifier's verdict on this login. */
  session: 'See each rule with what was expected and found',
  sessions: 'Sessions at the IDP: each rule with its verdict',
  needsCredential: 'You need a wallet with a credential.',
  toPortal: 'Request one in the issuance portal',
  toExchanges: 'See the messages of this login',
}

export const relyingPartyTexts: Texts<typeof english> = {
  en: english,
  es: {
    lead: 'Una aplicación de ejemplo en la que las personas inician sesión con su credencial. Recibe un token de identidad del IDP y no se fía de nada más.',
    logIn: 'Iniciar sesión',
    logInAgain: 'Volver a iniciar sesión',
    signOut: 'Cerrar sesión',
    how: 'Qué ocurre',
    steps: [
      'La parte usuaria envía el navegador al IDP: una petición de OpenID Connect con state, nonce y PKCE.',
      'El IDP muestra un código QR. La cartera lo escanea y presenta una credencial.',
      'El verificador comprueba la credencial, su emisor y la cadena de confianza.',
      'El navegador vuelve con un código. La parte usuaria lo canjea por tokens y saluda a la persona.',
    ],
    facts: 'El cliente',
    client: 'ID de cliente',
    provider: 'Proveedor',
    redirectAddress: 'Dirección de retorno',
    hello: 'Hola,',
    actsFor: 'Actúas en nombre de',
    signedIn: 'Sesión iniciada',
    verified:
      'La firma, el emisor, el destinatario, el nonce y las fechas del token de identidad están comprobados.',
    powers: 'Poderes',
    powersLead: 'Lo que esta sesión puede hacer en nombre de la organización.',
    noPowers: 'El token de identidad no contiene poderes.',
    powerFunction: 'Función',
    domain: 'Dominio',
    actions: 'Acciones',
    idToken: 'El token de identidad',
    idTokenLead: 'Todo lo que la parte usuaria sabe de este inicio de sesión.',
    ownClaim: 'Añadido por la administración del proveedor',
    header: 'Cabecera',
    encoded: 'Token codificado',
    noSession:
      'El IDP no guarda ninguna sesión. Después de cerrarla, el siguiente inicio vuelve a preguntar a la cartera.',
    failed: 'No se ha podido iniciar sesión',
    reasons: {
      access_denied:
        'El IDP no ha confirmado el inicio de sesión. Se ha cancelado, o no se ha aceptado ninguna presentación.',
      login_required: 'El IDP exige un nuevo inicio de sesión.',
      provider_unavailable:
        'El IDP no responde. Mira su estado en la página de inicio y comprueba si hay algún fallo activado.',
      invalid_grant:
        'El IDP ha rechazado el código: ya se ha usado o ha caducado. Vuelve a iniciar sesión.',
    },
    reason: 'La parte usuaria ha rechazado la respuesta del IDP.',
    refused: 'El verificador ha rechazado la presentación por estos motivos:',
    unavailable: 'No ha respondido',
    session: 'Ver cada regla con lo esperado y lo encontrado',
    sessions: 'Sesiones en el IDP: cada regla con su veredicto',
    needsCredential: 'Necesitas una cartera con una credencial.',
    toPortal: 'Pide una en el portal de emisión',
    toExchanges: 'Ver los mensajes de este inicio de sesión',
  },
}
