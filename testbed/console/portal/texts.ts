import type { Texts } from '#kit/language.ts'

type RecordStatus = 'pending' | 'issued' | 'revoked' | 'expired'

export interface PortalTexts {
  readonly lead: string
  readonly withAccount: string
  readonly withAccountLead: string
  readonly userName: string
  readonly password: string
  /** Before the name. */
  readonly signInAs: string
  readonly withWallet: string
  readonly withWalletLead: string
  readonly signInWithWallet: string
  readonly signInFailed: string
  readonly providerUnavailable: string
  readonly cancelled: string
  readonly expired: string
  readonly notSignedIn: string
  readonly signedInAs: string
  readonly signOut: string
  readonly own: string
  readonly ownLead: string
  readonly requestOwn: string
  readonly employee: string
  readonly employeeLead: string
  readonly email: string
  readonly firstName: string
  readonly lastName: string
  readonly employeeId: string
  readonly optional: string
  readonly mailLanguage: string
  readonly mailLanguageDefault: string
  readonly requestForEmployee: string
  readonly powers: string
  readonly rejected: string
  readonly rejectedLead: string
  readonly noPowers: string
  readonly invalidEmail: string
  readonly noEmail: string
  readonly noName: string
  readonly noAction: string
  readonly working: string
  readonly ownReady: string
  readonly ownReadyLead: string
  readonly qrAlternative: string
  readonly openWallet: string
  readonly acceptHere: string
  readonly offerLink: string
  readonly collected: string
  readonly mailSent: string
  /** Before the address. */
  readonly mailSentTo: string
  readonly openInbox: string
  readonly records: string
  readonly recordsLead: string
  readonly noRecords: string
  readonly state: string
  readonly all: string
  readonly filter: string
  readonly unknownPerson: string
  readonly created: string
  readonly changed: string
  readonly revoke: string
  readonly revokeLead: string
  readonly revokeNow: string
  readonly newer: string
  readonly older: string
  readonly states: Readonly<Record<RecordStatus, string>>
  readonly stateReasons: Readonly<Record<RecordStatus, string>>
  readonly unreachable: string
  /** Before the status and the issuer's text. */
  readonly refusedWith: string
  /** What to do, by the issuer's text (profile/issuer, Errors). */
  readonly advice: Readonly<Record<string, string>>
  readonly otherAdvice: string
}

export const portalTexts: Texts<PortalTexts> = {
  en: {
    lead: 'Representatives of an organization request and revoke credentials here. The portal is a client of the token issuer and calls the issuer with the Bearer token of its user.',
    withAccount: 'Log in with an account',
    withAccountLead:
      'The first credential of an organization needs an account. The button copies the password: paste it on the next page.',
    userName: 'User name',
    password: 'Password',
    signInAs: 'Log in as',
    withWallet: 'Log in with a wallet',
    withWalletLead:
      'For representatives who already have a credential. On the next page, choose “Log in with your wallet”.',
    signInWithWallet: 'Log in with a wallet',
    signInFailed: 'The login failed.',
    providerUnavailable:
      'The token issuer does not respond. Check its health on the home page, and whether a fault is switched on.',
    cancelled: 'The token issuer did not confirm the login.',
    expired: 'Your login has expired. Log in again.',
    notSignedIn: 'You are not logged in at the portal. Reload the page and log in.',
    signedInAs: 'Logged in as',
    signOut: 'Log out',
    own: 'Your own credential',
    ownLead: 'The issuer returns the QR code of an offer.',
    requestOwn: 'Request my credential',
    employee: 'Credential for an employee',
    employeeLead: 'The employee receives the offer by email.',
    email: 'Email address',
    firstName: 'First name',
    lastName: 'Last name',
    employeeId: 'Employee number',
    optional: 'optional',
    mailLanguage: 'Language of the email',
    mailLanguageDefault: 'As configured',
    requestForEmployee: 'Send the offer',
    powers: 'Powers',
    rejected: 'See a rejection',
    rejectedLead:
      'A power that the management API does not list for this organization. The issuer rejects the request.',
    noPowers: 'Your token contains no powers.',
    invalidEmail: 'This is not a valid email address.',
    noEmail: 'Enter the email address of the employee.',
    noName: 'Enter the name: it is in the credential and in the email.',
    noAction: 'Choose at least one action.',
    working: 'Sending the request…',
    ownReady: 'Your offer is ready',
    ownReadyLead:
      'Scan the code with a wallet. It works once, and for a few minutes only (QR_EXPIRATION_TIME of the issuer).',
    qrAlternative: 'QR code of the credential offer',
    openWallet: 'Open the wallet on this device',
    acceptHere: 'Accept in a wallet of the console',
    offerLink: 'Link of the offer',
    collected: 'The wallet has collected the credential.',
    mailSent: 'The offer is on its way',
    mailSentTo: 'The credential offer has been sent to',
    openInbox: 'Open the inbox',
    records: 'Credentials of',
    recordsLead: 'As the issuer lists them, newest first.',
    noRecords: 'No credentials.',
    state: 'State',
    all: 'All',
    filter: 'Show',
    unknownPerson: 'Requested elsewhere. The list of the issuer contains no names.',
    created: 'Created',
    changed: 'Changed',
    revoke: 'Revoke',
    revokeLead: 'This is permanent: from now on, verifiers reject the credential.',
    revokeNow: 'Revoke permanently',
    newer: 'Newer',
    older: 'Older',
    states: { pending: 'pending', issued: 'issued', revoked: 'revoked', expired: 'expired' },
    stateReasons: {
      pending: 'No wallet has collected it.',
      issued: 'A wallet has collected it.',
      revoked: 'Verifiers reject it.',
      expired: 'Its validity has ended.',
    },
    unreachable:
      'The issuer does not respond. Check its health on the home page, and whether a fault is switched on.',
    refusedWith: 'The issuer returned',
    advice: {
      'invalid token': 'The Bearer token is invalid or has expired. Log out and log in again.',
      'Missing required data or invalid powers':
        'Check the email address and choose at least one action.',
      'The requested powers are not authorized for the organization':
        'Choose only powers that the organization may grant. The management API lists them.',
      'The mail server rejects this address': 'Use another email address.',
      'Error contacting the Connector':
        'The issuer cannot reach the connector. Check its health on the home page.',
      'The credential is already revoked': 'Reload the page to see its state.',
      'Unknown credential': 'Reload the page: the list has changed.',
      'The token does not give access to the credentials of this organization':
        'Log in as a representative of that organization.',
    },
    otherAdvice: 'The exchange in “Live exchanges” shows the whole response.',
  },
  es: {
    lead: 'Aquí los representantes de una organización piden y revocan credenciales. El portal es un cliente del emisor de tokens y llama al emisor con el token Bearer de su usuario.',
    withAccount: 'Entrar con una cuenta',
    withAccountLead:
      'La primera credencial de una organización necesita una cuenta. El botón copia la contraseña: pégala en la página siguiente.',
    userName: 'Usuario',
    password: 'Contraseña',
    signInAs: 'Entrar como',
    withWallet: 'Entrar con una cartera',
    withWalletLead:
      'Para representantes que ya tienen una credencial. En la página siguiente elige «Iniciar sesión con su cartera».',
    signInWithWallet: 'Entrar con una cartera',
    signInFailed: 'No se ha podido iniciar sesión.',
    providerUnavailable:
      'El emisor de tokens no responde. Mira su estado en la página de inicio y comprueba si hay algún fallo activado.',
    cancelled: 'El emisor de tokens no ha confirmado el inicio de sesión.',
    expired: 'La sesión ha caducado. Vuelve a entrar.',
    notSignedIn: 'No has iniciado sesión en el portal. Recarga la página y entra.',
    signedInAs: 'Sesión de',
    signOut: 'Cerrar sesión',
    own: 'Tu propia credencial',
    ownLead: 'El emisor responde con el código QR de una oferta.',
    requestOwn: 'Pedir mi credencial',
    employee: 'Credencial para un empleado',
    employeeLead: 'El empleado recibe la oferta por correo.',
    email: 'Correo electrónico',
    firstName: 'Nombre',
    lastName: 'Apellidos',
    employeeId: 'Número de empleado',
    optional: 'opcional',
    mailLanguage: 'Idioma del correo',
    mailLanguageDefault: 'El configurado',
    requestForEmployee: 'Enviar la oferta',
    powers: 'Poderes',
    rejected: 'Ver un rechazo',
    rejectedLead:
      'Un poder que la API de gestión no incluye para esta organización. El emisor rechaza la petición.',
    noPowers: 'Tu token no contiene poderes.',
    invalidEmail: 'No es una dirección de correo válida.',
    noEmail: 'Escribe el correo del empleado.',
    noName: 'Escribe el nombre: figura en la credencial y en el correo.',
    noAction: 'Elige al menos una acción.',
    working: 'Enviando la petición…',
    ownReady: 'Tu oferta está lista',
    ownReadyLead:
      'Escanea el código con una cartera. Se puede usar una vez, durante unos minutos (QR_EXPIRATION_TIME del emisor).',
    qrAlternative: 'Código QR de la oferta de credencial',
    openWallet: 'Abrir la cartera en este dispositivo',
    acceptHere: 'Aceptar en una cartera de la consola',
    offerLink: 'Enlace de la oferta',
    collected: 'La cartera ha recogido la credencial.',
    mailSent: 'La oferta está en camino',
    mailSentTo: 'La oferta de la credencial se ha enviado a',
    openInbox: 'Abrir el correo',
    records: 'Credenciales de',
    recordsLead: 'Tal como las lista el emisor, las más recientes primero.',
    noRecords: 'No hay credenciales.',
    state: 'Estado',
    all: 'Todas',
    filter: 'Mostrar',
    unknownPerson: 'Pedida en otro sitio: la lista del emisor no tiene nombres.',
    created: 'Creada',
    changed: 'Modificada',
    revoke: 'Revocar',
    revokeLead: 'Es definitivo: a partir de ahora los verificadores rechazan la credencial.',
    revokeNow: 'Revocar definitivamente',
    newer: 'Más recientes',
    older: 'Más antiguas',
    states: {
      pending: 'pendiente',
      issued: 'emitida',
      revoked: 'revocada',
      expired: 'caducada',
    },
    stateReasons: {
      pending: 'Ninguna cartera la ha recogido.',
      issued: 'Una cartera la ha recogido.',
      revoked: 'Los verificadores la rechazan.',
      expired: 'Su validez ha terminado.',
    },
    unreachable:
      'El emisor no responde. Mira su estado en la página de inicio y comprueba si hay algún fallo activado.',
    refusedWith: 'El emisor ha respondido',
    advice: {
      'invalid token':
        'El token Bearer no es válido o ha caducado. Cierra la sesión y vuelve a entrar.',
      'Missing required data or invalid powers': 'Revisa el correo y elige al menos una acción.',
      'The requested powers are not authorized for the organization':
        'Elige solo poderes que la organización puede otorgar. La API de gestión los enumera.',
      'The mail server rejects this address': 'Usa otra dirección de correo.',
      'Error contacting the Connector':
        'El emisor no llega al conector. Mira su estado en la página de inicio.',
      'The credential is already revoked': 'Recarga la página para ver su estado.',
      'Unknown credential': 'Recarga la página: la lista ha cambiado.',
      'The token does not give access to the credentials of this organization':
        'Entra como representante de esa organización.',
    },
    otherAdvice: 'El intercambio en «Intercambios en vivo» muestra la respuesta completa.',
  },
}
