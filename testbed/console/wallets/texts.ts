import type { Texts } from '#kit/language.ts'
import type { WalletEvent } from '#wallet-emulator/events.ts'

/** The texts of the wallets room. Names in braces are values. */
export interface WalletTexts {
  readonly lead: string
  readonly wallets: string
  readonly newWallet: string
  readonly name: string
  readonly curve: string
  readonly didMethod: string
  readonly create: string
  readonly noWallets: string
  readonly deleteWallet: string
  readonly confirmDelete: string
  readonly key: string
  readonly credentials: string
  readonly noCredentials: string
  readonly organization: string
  readonly holder: string
  readonly powers: string
  readonly issuer: string
  readonly valid: string
  readonly until: string
  readonly status: Readonly<
    Record<'valid' | 'revoked' | 'expired' | 'early' | 'unknown' | 'asking', string>
  >
  readonly decode: string
  readonly decoded: string
  readonly header: string
  readonly payload: string
  readonly claim: string
  readonly value: string
  readonly meaning: string
  readonly copyToken: string
  readonly close: string
  readonly remove: string
  readonly scan: string
  readonly scanHint: string
  readonly link: string
  readonly image: string
  readonly drop: string
  readonly pin: string
  readonly credentialToPresent: string
  readonly automatic: string
  readonly open: string
  readonly working: string
  readonly quick: string
  readonly sampleFor: string
  readonly receive: string
  readonly fromMail: string
  readonly noMail: string
  readonly logins: string
  readonly noLogins: string
  readonly openLogin: string
  readonly present: string
  readonly loginAt: string
  readonly continued: string
  readonly showsWhy: string
  readonly fault: string
  readonly faultHint: string
  readonly noFault: string
  readonly faultGroups: Readonly<Record<'issuance' | 'presentation', string>>
  readonly faultNeeds: string
  readonly needs: Readonly<
    Record<'pin' | 'deferral' | 'second-type' | 'clock' | 'short-nonce', string>
  >
  readonly expected: Readonly<
    Record<
      'token' | 'credential' | 'deferred' | 'presentation' | 'verdict' | 'session' | 'nowhere',
      string
    >
  >
  readonly entails: string
  readonly activity: string
  readonly noActivity: string
  readonly results: Readonly<
    Record<'accepted' | 'presented' | 'rejected' | 'stopped' | 'running', string>
  >
  readonly brokenRules: string
  readonly evaluatedBy: string
  readonly lost: string
  readonly steps: Readonly<Record<WalletEvent['type'], string>>
}

export const walletTexts: Texts<WalletTexts> = {
  en: {
    lead: 'Simulated wallets. They receive and present credentials like a wallet on a phone, and last until the testbed stops.',
    wallets: 'Wallets',
    newWallet: 'New wallet',
    name: 'Name',
    curve: 'Key',
    didMethod: 'DID method',
    create: 'Create wallet',
    noWallets:
      'The console has no wallet yet. Create one to receive a credential. Wallets of the command line are separate and are not shown here.',
    deleteWallet: 'Delete wallet',
    confirmDelete: 'Delete the wallet {name} with its credentials?',
    key: 'Key',
    credentials: 'Credentials',
    noCredentials: 'No credentials yet. Receive one, or scan the QR code of an offer.',
    organization: 'Organization',
    holder: 'Holder',
    powers: 'Powers',
    issuer: 'Issued by',
    valid: 'Valid',
    until: '{from} to {until}',
    status: {
      valid: 'valid',
      revoked: 'revoked',
      expired: 'expired',
      early: 'not yet valid',
      unknown: 'status unavailable',
      asking: 'checking…',
    },
    decode: 'Show content',
    decoded: 'Content of the credential',
    header: 'Header',
    payload: 'Payload',
    claim: 'Member',
    value: 'Value',
    meaning: 'Meaning',
    copyToken: 'Copy token',
    close: 'Close',
    remove: 'Delete',
    scan: 'Scan a QR code',
    scanHint: 'An offer or a login request. The wallet detects which.',
    link: 'Link',
    image: 'Image with the QR code',
    drop: 'Or paste or drop a screenshot anywhere on this page.',
    pin: 'PIN, if the offer requires one',
    credentialToPresent: 'Credential to present',
    automatic: 'chosen by the wallet',
    open: 'Open in wallet',
    working: 'The wallet is working…',
    quick: 'Receive a credential',
    sampleFor: 'For',
    receive: 'Receive',
    fromMail: 'Receive from the latest email',
    noMail: 'There is no email with an offer.',
    logins: 'Login pages waiting for a wallet',
    noLogins: 'None at the moment.',
    openLogin: 'Open a login page in a new tab',
    present: 'Present',
    loginAt: 'Login at {client}, {time}',
    continued: 'The login page in the other tab has continued.',
    showsWhy: 'The login page in the other tab shows why.',
    fault: 'Deviation',
    faultHint: 'Make the wallet behave wrongly on purpose, and see how the other side reacts.',
    noFault: 'none: the wallet behaves correctly',
    faultGroups: { issuance: 'Towards an issuer', presentation: 'Towards a verifier' },
    faultNeeds: 'Requires',
    needs: {
      pin: 'an offer with a PIN',
      deferral: 'a deferred credential',
      'second-type': 'an issuer with more than one credential type',
      clock: 'a clock that can be moved',
      'short-nonce': 'a c_nonce that expires before the access token',
    },
    expected: {
      token: 'A conformant issuer rejects the token request with {status} {error}.',
      credential: 'A conformant issuer rejects the credential request with {status} {error}.',
      deferred: 'A conformant issuer rejects the poll with {status} {error}.',
      presentation: 'A conformant verifier rejects the post with {status} {error}.',
      verdict: 'A conformant verifier rejects the login because of the rule {rule}.',
      session: 'A conformant verifier ignores the post. The session is {status}.',
      nowhere: 'The testbed accepts it: {because}',
    },
    entails: 'These rules then fail too: {rules}.',
    activity: 'What the wallet did',
    noActivity: 'Nothing yet.',
    results: {
      accepted: 'The wallet received the credential.',
      presented: 'The verifier accepted the presentation.',
      rejected: 'The verifier rejected the presentation.',
      stopped: 'The wallet stopped.',
      running: 'The wallet is working…',
    },
    brokenRules: 'Broken rules',
    evaluatedBy: 'Evaluated by the {part}',
    lost: 'The testbed does not respond.',
    steps: {
      http: 'Request',
      'offer-resolved': 'Read the offer of',
      'metadata-fetched': 'Read the metadata of the issuer',
      'offer-consent-asked': 'The holder accepts the offer of',
      'pin-requested': 'Asks for the PIN',
      'pin-refused': 'The issuer rejected the PIN',
      'token-received': 'Received the access token',
      'proof-created': 'Signed the proof of possession',
      'nonce-renewed': 'Repeats the request with the new c_nonce',
      'credential-deferred': 'The credential is not ready yet',
      'deferred-pending': 'Still not ready, poll',
      'deferred-busy': 'The issuer is busy, poll',
      'credential-received': 'Received the credential',
      'credential-validated': 'Verified the credential and its issuer. Rules evaluated:',
      'credential-stored': 'Stored the credential',
      'request-resolved': 'Read the login request of',
      'credentials-matched': 'Found the matching credentials',
      'credential-selected': 'Selected a credential',
      'consent-asked': 'The holder agrees to present it to',
      'presentation-created': 'Signed the presentation',
      'presentation-accepted': 'The verifier received the presentation',
      stopped: 'Stopped',
    },
  },
  es: {
    lead: 'Carteras simuladas. Reciben y presentan credenciales como una cartera en un teléfono, y duran hasta que el banco de pruebas se detiene.',
    wallets: 'Carteras',
    newWallet: 'Nueva cartera',
    name: 'Nombre',
    curve: 'Clave',
    didMethod: 'Método DID',
    create: 'Crear cartera',
    noWallets:
      'La consola todavía no tiene ninguna cartera. Crea una para recibir una credencial. Las carteras de la línea de comandos son independientes y no se muestran aquí.',
    deleteWallet: 'Borrar cartera',
    confirmDelete: '¿Borrar la cartera {name} con sus credenciales?',
    key: 'Clave',
    credentials: 'Credenciales',
    noCredentials: 'Todavía no hay credenciales. Recibe una o escanea el código QR de una oferta.',
    organization: 'Organización',
    holder: 'Titular',
    powers: 'Poderes',
    issuer: 'Emitida por',
    valid: 'Validez',
    until: 'del {from} al {until}',
    status: {
      valid: 'válida',
      revoked: 'revocada',
      expired: 'caducada',
      early: 'aún no válida',
      unknown: 'estado no disponible',
      asking: 'comprobando…',
    },
    decode: 'Ver contenido',
    decoded: 'Contenido de la credencial',
    header: 'Cabecera',
    payload: 'Contenido',
    claim: 'Miembro',
    value: 'Valor',
    meaning: 'Significado',
    copyToken: 'Copiar token',
    close: 'Cerrar',
    remove: 'Borrar',
    scan: 'Escanear un código QR',
    scanHint: 'Una oferta o una petición de inicio de sesión. La cartera distingue cuál es.',
    link: 'Enlace',
    image: 'Imagen con el código QR',
    drop: 'O pega o arrastra una captura de pantalla a cualquier parte de esta página.',
    pin: 'PIN, si la oferta lo pide',
    credentialToPresent: 'Credencial que se presenta',
    automatic: 'la elige la cartera',
    open: 'Abrir en la cartera',
    working: 'La cartera está trabajando…',
    quick: 'Recibir una credencial',
    sampleFor: 'Para',
    receive: 'Recibir',
    fromMail: 'Recibir la del último correo',
    noMail: 'No hay ningún correo con una oferta.',
    logins: 'Páginas de inicio de sesión que esperan una cartera',
    noLogins: 'Ahora mismo no hay ninguna.',
    openLogin: 'Abrir una página de inicio de sesión en otra pestaña',
    present: 'Presentar',
    loginAt: 'Inicio de sesión en {client}, {time}',
    continued: 'La página de inicio de sesión de la otra pestaña ha continuado.',
    showsWhy: 'La página de inicio de sesión de la otra pestaña muestra el motivo.',
    fault: 'Desviación',
    faultHint:
      'Haz que la cartera se comporte mal a propósito y observa cómo reacciona la otra parte.',
    noFault: 'ninguna: la cartera se comporta correctamente',
    faultGroups: { issuance: 'Ante un emisor', presentation: 'Ante un verificador' },
    faultNeeds: 'Requiere',
    needs: {
      pin: 'una oferta con PIN',
      deferral: 'una credencial diferida',
      'second-type': 'un emisor con más de un tipo de credencial',
      clock: 'un reloj que se pueda mover',
      'short-nonce': 'un c_nonce que caduque antes que el token de acceso',
    },
    expected: {
      token: 'Un emisor correcto rechaza la petición del token con {status} {error}.',
      credential: 'Un emisor correcto rechaza la petición de la credencial con {status} {error}.',
      deferred: 'Un emisor correcto rechaza la consulta con {status} {error}.',
      presentation: 'Un verificador correcto rechaza el envío con {status} {error}.',
      verdict: 'Un verificador correcto rechaza el inicio de sesión por la regla {rule}.',
      session: 'Un verificador correcto ignora el envío. La sesión queda {status}.',
      nowhere: 'El banco de pruebas lo acepta: {because}',
    },
    entails: 'Entonces tampoco se cumplen estas reglas: {rules}.',
    activity: 'Qué ha hecho la cartera',
    noActivity: 'Todavía nada.',
    results: {
      accepted: 'La cartera ha recibido la credencial.',
      presented: 'El verificador ha aceptado la presentación.',
      rejected: 'El verificador ha rechazado la presentación.',
      stopped: 'La cartera se ha detenido.',
      running: 'La cartera está trabajando…',
    },
    brokenRules: 'Reglas incumplidas',
    evaluatedBy: 'Componente que la evaluó: {part}',
    lost: 'El banco de pruebas no responde.',
    steps: {
      http: 'Petición',
      'offer-resolved': 'Lee la oferta de',
      'metadata-fetched': 'Lee los metadatos del emisor',
      'offer-consent-asked': 'El titular acepta la oferta de',
      'pin-requested': 'Pide el PIN',
      'pin-refused': 'El emisor ha rechazado el PIN',
      'token-received': 'Recibe el token de acceso',
      'proof-created': 'Firma la prueba de posesión',
      'nonce-renewed': 'Repite la petición con el nuevo c_nonce',
      'credential-deferred': 'La credencial aún no está lista',
      'deferred-pending': 'Aún no está lista, consulta',
      'deferred-busy': 'El emisor está ocupado, consulta',
      'credential-received': 'Recibe la credencial',
      'credential-validated': 'Verifica la credencial y su emisor. Reglas evaluadas:',
      'credential-stored': 'Guarda la credencial',
      'request-resolved': 'Lee la petición de inicio de sesión de',
      'credentials-matched': 'Encuentra las credenciales adecuadas',
      'credential-selected': 'Elige una credencial',
      'consent-asked': 'El titular acepta presentarla a',
      'presentation-created': 'Firma la presentación',
      'presentation-accepted': 'El verificador ha recibido la presentación',
      stopped: 'Se detiene',
    },
  },
}
