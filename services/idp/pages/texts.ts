import type { FailureReason } from '../domain/login.ts'

/** Every text of the pages. A language is one file that fills this in. */
export interface Texts {
  /** BCP 47. */
  readonly language: string
  readonly title: string
  /** Before the name of the application. */
  readonly toContinueTo: string
  readonly scan: string
  readonly steps: readonly string[]
  readonly qrAlternative: string
  readonly openWallet: string
  readonly openWalletHint: string
  /** Before the time that is left, m:ss. */
  readonly validFor: string
  readonly waiting: string
  readonly succeededTitle: string
  readonly succeeded: string
  readonly connectionLost: string
  readonly withoutScript: string
  readonly continueLink: string
  readonly cancel: string
  readonly failedTitle: string
  readonly expiredTitle: string
  readonly expiredMessage: string
  readonly newCode: string
  readonly tryAgain: string
  readonly details: string
  readonly reasons: Readonly<Record<FailureReason, string>>
  readonly returnTitle: string
  readonly returnMessage: string
  readonly cannotGoOn: string
  /** Of what the application sent. */
  readonly badRequest: string
  readonly startAgain: string
  readonly serverErrorTitle: string
  readonly serverError: string
  readonly tryLater: string
  /** Messages by error code. */
  readonly errors: Readonly<Record<string, string>>
}

export const english: Texts = {
  language: 'en',
  title: 'Sign in with your wallet',
  toContinueTo: 'to continue to',
  scan: 'Scan this code with your wallet',
  steps: [
    'Open the wallet on your phone.',
    'Scan the code.',
    'Choose your credential and approve. This page goes on by itself.',
  ],
  qrAlternative: 'QR code to open in your wallet',
  openWallet: 'Open the wallet on this device',
  openWalletHint: 'Is your wallet on this device? Then there is no need to scan.',
  validFor: 'This code is valid for',
  waiting: 'Waiting for your wallet…',
  succeededTitle: 'You are signed in',
  succeeded: 'Your credential was accepted. Taking you back…',
  connectionLost: 'No connection to the server. Trying again…',
  withoutScript: 'Once you have approved in your wallet, continue here:',
  continueLink: 'Continue',
  cancel: 'Cancel and go back',
  failedTitle: 'Signing in did not succeed',
  expiredTitle: 'This code has expired',
  expiredMessage: 'Nothing was presented in time. Ask for a new code and scan that one.',
  newCode: 'Get a new code',
  tryAgain: 'Try again with a new code',
  details: 'Technical details',
  reasons: {
    'service-unavailable':
      'A service that is needed to check your credential did not answer. That says nothing about your credential; try again later.',
    revoked: 'Your credential was revoked by its issuer, or its status could not be confirmed.',
    expired: 'Your credential has expired. Ask your organization for a new one.',
    'not-yet-valid': 'Your credential is not valid yet.',
    'issue-date-invalid': 'Your credential does not have a valid issue date.',
    'wrong-type': 'This is not the kind of credential that is needed here. Choose another one.',
    'issuer-unclear': 'Your credential does not say clearly who issued it.',
    'issuer-unknown':
      'The issuer of your credential is not registered here. Ask your organization for a new one.',
    'issuer-key-invalid':
      'The key that signed your credential was not valid for that. Ask your organization for a new one.',
    'issuer-not-accredited':
      'The issuer of your credential is not accredited here. Ask your organization for a new one.',
    'wrong-holder': 'This credential was issued to somebody else.',
    'invalid-signature': 'The issuer’s signature on your credential is not valid.',
    incomplete: 'Your credential lacks something that is needed here.',
    malformed: 'Your credential does not have the required form.',
    'invalid-presentation': 'What your wallet sent is not a valid answer. Try again.',
  },
  returnTitle: 'You can close this window',
  returnMessage: 'Go back to the device and the window in which you began to sign in.',
  cannotGoOn: 'Signing in cannot go on',
  badRequest: 'The application that you come from sent a request that can’t be answered.',
  startAgain: 'Go back to the application that you came from and start again.',
  serverErrorTitle: 'Signing in is not possible now',
  serverError: 'Something went wrong on our side.',
  tryLater: 'Try again in a moment.',
  errors: {
    login_expired: 'This sign-in is over, has expired, or was begun in another browser.',
    verifier_unavailable: 'The verification service is not available.',
    database_unavailable: 'The service cannot reach its database.',
  },
}

export const spanish: Texts = {
  language: 'es',
  title: 'Inicie sesión con su cartera',
  toContinueTo: 'para continuar en',
  scan: 'Escanee este código con su cartera',
  steps: [
    'Abra la cartera en su teléfono.',
    'Escanee el código.',
    'Elija su credencial y apruebe. Esta página continuará sola.',
  ],
  qrAlternative: 'Código QR para abrir en su cartera',
  openWallet: 'Abrir la cartera en este dispositivo',
  openWalletHint: '¿Tiene la cartera en este dispositivo? Entonces no hace falta escanear.',
  validFor: 'Este código es válido durante',
  waiting: 'Esperando a su cartera…',
  succeededTitle: 'Ha iniciado sesión',
  succeeded: 'Su credencial ha sido aceptada. Le llevamos de vuelta…',
  connectionLost: 'Sin conexión con el servidor. Reintentando…',
  withoutScript: 'Cuando haya aprobado en su cartera, continúe aquí:',
  continueLink: 'Continuar',
  cancel: 'Cancelar y volver',
  failedTitle: 'No se ha podido iniciar sesión',
  expiredTitle: 'Este código ha caducado',
  expiredMessage: 'No se presentó nada a tiempo. Pida un código nuevo y escanéelo.',
  newCode: 'Obtener un código nuevo',
  tryAgain: 'Volver a intentarlo con un código nuevo',
  details: 'Detalles técnicos',
  reasons: {
    'service-unavailable':
      'Un servicio necesario para comprobar su credencial no ha respondido. Eso no dice nada sobre su credencial; vuelva a intentarlo más tarde.',
    revoked: 'Su credencial fue revocada por su emisor, o no se pudo confirmar su estado.',
    expired: 'Su credencial ha caducado. Pida una nueva a su organización.',
    'not-yet-valid': 'Su credencial todavía no es válida.',
    'issue-date-invalid': 'Su credencial no tiene una fecha de emisión válida.',
    'wrong-type': 'Este no es el tipo de credencial que se necesita aquí. Elija otra.',
    'issuer-unclear': 'Su credencial no indica con claridad quién la emitió.',
    'issuer-unknown':
      'El emisor de su credencial no está registrado aquí. Pida una nueva a su organización.',
    'issuer-key-invalid':
      'La clave que firmó su credencial no era válida para ello. Pida una nueva a su organización.',
    'issuer-not-accredited':
      'El emisor de su credencial no está acreditado aquí. Pida una nueva a su organización.',
    'wrong-holder': 'Esta credencial fue emitida a otra persona.',
    'invalid-signature': 'La firma del emisor en su credencial no es válida.',
    incomplete: 'A su credencial le falta algo que se necesita aquí.',
    malformed: 'Su credencial no tiene la forma requerida.',
    'invalid-presentation':
      'Lo que ha enviado su cartera no es una respuesta válida. Vuelva a intentarlo.',
  },
  returnTitle: 'Puede cerrar esta ventana',
  returnMessage: 'Vuelva al dispositivo y a la ventana en los que empezó a iniciar sesión.',
  cannotGoOn: 'El inicio de sesión no puede continuar',
  badRequest: 'La aplicación de la que viene envió una petición que no se puede atender.',
  startAgain: 'Vuelva a la aplicación de la que viene y empiece de nuevo.',
  serverErrorTitle: 'Ahora no es posible iniciar sesión',
  serverError: 'Algo ha fallado por nuestra parte.',
  tryLater: 'Vuelva a intentarlo dentro de un momento.',
  errors: {
    login_expired: 'Este inicio de sesión ha terminado, ha caducado o se empezó en otro navegador.',
    verifier_unavailable: 'El servicio de verificación no está disponible.',
    database_unavailable: 'El servicio no puede acceder a su base de datos.',
  },
}

const languages: readonly Texts[] = [english, spanish]

const find = (tag: string): Texts | undefined =>
  languages.find(({ language }) => language === tag.toLowerCase().split('-')[0])

/**
 * The texts in the first language of `ui_locales` that there is (OpenID Connect Core 3.1.2.1), else
 * in the one that the browser likes best, else English.
 */
export function selectTexts(acceptLanguage: string | undefined, uiLocales?: unknown): Texts {
  const asked = typeof uiLocales === 'string' ? uiLocales.slice(0, 500).split(' ') : []
  const [texts] = [...asked, ...byPreference(acceptLanguage)].flatMap((tag) => find(tag) ?? [])
  return texts ?? english
}

/** The language ranges of Accept-Language, the most welcome one first (RFC 9110, 12.5.4). */
function byPreference(acceptLanguage: string | undefined): readonly string[] {
  return (acceptLanguage ?? '')
    .slice(0, 500)
    .split(',')
    .map((entry, index) => {
      const [tag = '', ...parameters] = entry.trim().split(/\s*;\s*/)
      const quality = parameters.find((each) => /^q=/i.test(each))?.slice(2)
      return { tag, quality: Number(quality ?? 1), index }
    })
    .filter(({ quality }) => quality > 0)
    .sort((a, b) => b.quality - a.quality || a.index - b.index)
    .map(({ tag }) => tag)
}
