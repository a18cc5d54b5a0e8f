import type { Texts } from '#kit/language.ts'

const alertNames = [
  'wrong_password',
  'too_many_attempts',
  'login_refused',
  'provider_unavailable',
] as const

/** Names of the messages above the form of the login page. */
export type AlertName = (typeof alertNames)[number]

export const isAlertName = (name: string): name is AlertName =>
  alertNames.some((known) => known === name)

const english = {
  title: 'Log in',
  /** Before the name of the application. */
  toContinueTo: 'to continue to',
  /** Undefined for the wallet. */
  signInWith: (provider = 'your wallet') => `Log in with ${provider}`,
  orWithAccount: 'or with an account',
  userName: 'User name',
  password: 'Password',
  alerts: {
    wrong_password: 'The user name or password is incorrect.',
    too_many_attempts: 'Too many failed attempts. Wait a minute, then try again.',
    login_refused: 'Login with your wallet failed. Try again, or use an account.',
    provider_unavailable:
      'Login with a wallet is currently unavailable. Try again later, or use an account.',
  } satisfies Record<AlertName, string>,
  /** Link to the reason of a rejected login. */
  seeWhy: 'See why',
  signOutQuestion: 'Log out?',
  aboutToSignOut: (application: string | undefined) =>
    `You are about to log out${application ? ` from ${application}` : ''}. Other applications will also ask you to log in again.`,
  signOut: 'Log out',
  staySignedIn: 'Stay logged in',
  signedOut: 'You are logged out',
  stillSignedIn: 'You are still logged in',
  closeWindow: 'You can close this window.',
  cannotContinue: 'Login cannot continue',
  signOutFailed: 'Logout failed',
  /** For an invalid request of the application. */
  badRequest: 'The application sent an invalid request.',
  serverError: 'Something went wrong on our side.',
  startAgain: 'Go back to the application and start again.',
  unknownTitle: 'Page not found',
  /** Messages by error code. */
  errors: {
    not_found: 'There is no page at this address.',
    method_not_allowed: 'There is no page at this address.',
    login_expired: 'This login is over, has expired, or was started in another browser.',
    unknown_provider: 'This way to log in is not available.',
    provider_unavailable: 'Login with a wallet is currently unavailable. Try again later.',
    login_refused: 'Login with your wallet failed. Try again.',
    database_unavailable: 'The service cannot reach its database. Try again in a moment.',
  } as Readonly<Record<string, string>>,
}

/** Every text of the pages. */
export const texts: Texts<typeof english> = {
  en: english,
  es: {
    title: 'Iniciar sesión',
    toContinueTo: 'para continuar en',
    signInWith: (provider = 'su cartera') => `Iniciar sesión con ${provider}`,
    orWithAccount: 'o con una cuenta',
    userName: 'Nombre de usuario',
    password: 'Contraseña',
    alerts: {
      wrong_password: 'El nombre de usuario o la contraseña no son correctos.',
      too_many_attempts: 'Demasiados intentos fallidos. Espere un minuto y vuelva a intentarlo.',
      login_refused:
        'No se ha podido iniciar sesión con su cartera. Vuelva a intentarlo o use una cuenta.',
      provider_unavailable:
        'Ahora no es posible iniciar sesión con una cartera. Vuelva a intentarlo más tarde o use una cuenta.',
    },
    seeWhy: 'Ver el motivo',
    signOutQuestion: '¿Cerrar sesión?',
    aboutToSignOut: (application) =>
      `Va a cerrar la sesión${application ? ` en ${application}` : ''}. Las demás aplicaciones también le pedirán que inicie sesión de nuevo.`,
    signOut: 'Cerrar sesión',
    staySignedIn: 'Mantener la sesión abierta',
    signedOut: 'Ha cerrado la sesión',
    stillSignedIn: 'Su sesión sigue abierta',
    closeWindow: 'Puede cerrar esta ventana.',
    cannotContinue: 'El inicio de sesión no puede continuar',
    signOutFailed: 'No se ha podido cerrar la sesión',
    badRequest: 'La aplicación ha enviado una petición no válida.',
    serverError: 'Se ha producido un error en nuestro servicio.',
    startAgain: 'Vuelva a la aplicación y empiece de nuevo.',
    unknownTitle: 'Página no encontrada',
    errors: {
      not_found: 'No hay ninguna página en esta dirección.',
      method_not_allowed: 'No hay ninguna página en esta dirección.',
      login_expired:
        'Este inicio de sesión ha terminado, ha caducado o se empezó en otro navegador.',
      unknown_provider: 'Aquí no existe esa forma de iniciar sesión.',
      provider_unavailable:
        'Ahora no es posible iniciar sesión con una cartera. Vuelva a intentarlo más tarde.',
      login_refused: 'No se ha podido iniciar sesión con su cartera. Vuelva a intentarlo.',
      database_unavailable:
        'El servicio no puede acceder a su base de datos. Vuelva a intentarlo dentro de un momento.',
    },
  },
}
