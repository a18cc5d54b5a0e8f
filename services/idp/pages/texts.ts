import type { Language } from '#kit/language.ts'
import type { FailureReason } from '../domain/login.ts'

/** Every text of the pages in one language. */
export const english = {
  language: 'en' as Language,
  title: 'Log in with your wallet',
  /** Before the name of the application. */
  toContinueTo: 'to continue to',
  scan: 'Scan this code with your wallet',
  steps: [
    'Open the wallet on your phone.',
    'Scan the code.',
    'Choose your credential and approve. This page continues automatically.',
  ],
  qrAlternative: 'QR code to open in your wallet',
  openWallet: 'Open the wallet on this device',
  openWalletHint: 'If your wallet is on this device, you do not need to scan the code.',
  openWebWallet: 'Open a wallet in the browser',
  /** Before the remaining time, m:ss. */
  validFor: 'This code is valid for',
  waiting: 'Waiting for your wallet…',
  succeededTitle: 'You are logged in',
  succeeded: 'Your credential was accepted. Redirecting…',
  connectionLost: 'No connection to the server. Retrying…',
  withoutScript: 'After you approve in your wallet, continue here:',
  continueLink: 'Continue',
  cancel: 'Cancel and go back',
  failedTitle: 'Login failed',
  /** Before the name of the application. */
  failedAt: 'at',
  expiredTitle: 'This code has expired',
  expiredMessage: 'Your wallet did not respond in time. Get a new code and scan it.',
  newCode: 'Get a new code',
  tryAgain: 'Try again with a new code',
  details: 'Technical details',
  /** Link to a page that explains the verdict. */
  seeWhy: 'See why',
  reasons: {
    'service-unavailable':
      'A service that checks your credential did not respond. This does not mean that your credential is invalid. Try again later.',
    revoked: 'Your credential was revoked by its issuer, or its status could not be confirmed.',
    expired: 'Your credential has expired. Ask your organization for a new one.',
    'not-yet-valid': 'Your credential is not valid yet.',
    'issue-date-invalid': 'Your credential does not have a valid issue date.',
    'wrong-type': 'This type of credential is not accepted here. Choose another one.',
    'issuer-unclear': 'The issuer of your credential is not clear.',
    'issuer-unknown':
      'The issuer of your credential is not registered here. Ask your organization for a new one.',
    'issuer-key-invalid':
      'The key that signed your credential was not valid for signing it. Ask your organization for a new one.',
    'issuer-not-accredited':
      'The issuer of your credential is not accredited here. Ask your organization for a new one.',
    'wrong-holder': 'This credential was issued to another person.',
    'invalid-signature': 'The issuer’s signature on your credential is not valid.',
    incomplete: 'Your credential lacks required data.',
    malformed: 'Your credential does not have the required format.',
    'invalid-presentation': 'Your wallet sent an invalid response. Try again.',
  } satisfies Record<FailureReason, string>,
  returnTitle: 'You can close this window',
  returnMessage: 'Go back to the device and window where you started to log in.',
  cannotGoOn: 'Login cannot continue',
  /** For an invalid request of the application. */
  badRequest: 'The application sent an invalid request.',
  startAgain: 'Go back to the application and start again.',
  unknownTitle: 'Page not found',
  unknown: 'There is no page at this address.',
  serverErrorTitle: 'Login is currently unavailable',
  serverError: 'Something went wrong on our side.',
  tryLater: 'Try again in a moment.',
  /** Messages by error code. */
  errors: {
    login_expired: 'This login is over, has expired, or was started in another browser.',
    verifier_unavailable: 'The verification service is not available.',
    database_unavailable: 'The service cannot reach its database.',
  } as Readonly<Record<string, string>>,
}

export type Texts = typeof english

export const spanish: Texts = {
  language: 'es',
  title: 'Inicie sesión con su cartera',
  toContinueTo: 'para continuar en',
  scan: 'Escanee este código con su cartera',
  steps: [
    'Abra la cartera en su teléfono.',
    'Escanee el código.',
    'Elija su credencial y apruebe. Esta página continuará automáticamente.',
  ],
  qrAlternative: 'Código QR para abrir en su cartera',
  openWallet: 'Abrir la cartera en este dispositivo',
  openWalletHint: 'Si tiene la cartera en este dispositivo, no hace falta que escanee el código.',
  openWebWallet: 'Abrir una cartera en el navegador',
  validFor: 'Este código es válido durante',
  waiting: 'Esperando a su cartera…',
  succeededTitle: 'Ha iniciado sesión',
  succeeded: 'Su credencial ha sido aceptada. Redirigiendo…',
  connectionLost: 'Sin conexión con el servidor. Reintentando…',
  withoutScript: 'Cuando haya aprobado en su cartera, continúe aquí:',
  continueLink: 'Continuar',
  cancel: 'Cancelar y volver',
  failedTitle: 'No se ha podido iniciar sesión',
  failedAt: 'en',
  expiredTitle: 'Este código ha caducado',
  expiredMessage: 'Su cartera no respondió a tiempo. Obtenga un código nuevo y escanéelo.',
  newCode: 'Obtener un código nuevo',
  tryAgain: 'Volver a intentarlo con un código nuevo',
  details: 'Detalles técnicos',
  seeWhy: 'Ver el motivo',
  reasons: {
    'service-unavailable':
      'Un servicio necesario para comprobar su credencial no ha respondido. Esto no significa que su credencial no sea válida. Vuelva a intentarlo más tarde.',
    revoked: 'Su credencial fue revocada por su emisor, o no se pudo confirmar su estado.',
    expired: 'Su credencial ha caducado. Pida una nueva a su organización.',
    'not-yet-valid': 'Su credencial todavía no es válida.',
    'issue-date-invalid': 'Su credencial no tiene una fecha de emisión válida.',
    'wrong-type': 'Este tipo de credencial no se acepta aquí. Elija otra.',
    'issuer-unclear': 'No está claro quién emitió su credencial.',
    'issuer-unknown':
      'El emisor de su credencial no está registrado aquí. Pida una nueva a su organización.',
    'issuer-key-invalid':
      'La clave que firmó su credencial no era válida para firmarla. Pida una nueva a su organización.',
    'issuer-not-accredited':
      'El emisor de su credencial no está acreditado aquí. Pida una nueva a su organización.',
    'wrong-holder': 'Esta credencial se emitió a otra persona.',
    'invalid-signature': 'La firma del emisor en su credencial no es válida.',
    incomplete: 'A su credencial le faltan datos necesarios.',
    malformed: 'Su credencial no tiene el formato requerido.',
    'invalid-presentation': 'Su cartera ha enviado una respuesta no válida. Vuelva a intentarlo.',
  },
  returnTitle: 'Puede cerrar esta ventana',
  returnMessage: 'Vuelva al dispositivo y a la ventana en los que empezó el inicio de sesión.',
  cannotGoOn: 'El inicio de sesión no puede continuar',
  badRequest: 'La aplicación ha enviado una petición no válida.',
  startAgain: 'Vuelva a la aplicación y empiece de nuevo.',
  unknownTitle: 'Página no encontrada',
  unknown: 'No hay ninguna página en esta dirección.',
  serverErrorTitle: 'No es posible iniciar sesión en este momento',
  serverError: 'Se ha producido un error en nuestro servicio.',
  tryLater: 'Vuelva a intentarlo dentro de un momento.',
  errors: {
    login_expired: 'Este inicio de sesión ha terminado, ha caducado o se empezó en otro navegador.',
    verifier_unavailable: 'El servicio de verificación no está disponible.',
    database_unavailable: 'El servicio no puede acceder a su base de datos.',
  },
}

export const loginTexts: Readonly<Record<Language, Texts>> = { en: english, es: spanish }
