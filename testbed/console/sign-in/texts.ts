import type { Texts } from '#kit/language.ts'

/** The texts of the redirect address, for sign-ins that this browser did not start here. */
const english = {
  title: 'Login result',
  succeeded: 'The login succeeded',
  failed: 'The login returned no code',
  /** The code belongs to another program. */
  unused:
    'Another program started this login. The console leaves the code unused: the program can exchange it for tokens.',
  noCode: 'Another program started this login. The provider returned this:',
  /** The login belongs to another browser. */
  elsewhere:
    'This login was started in the console, but in another browser or before the console was opened again. The code stays unused. Start the login again in this browser.',
  /** Link to the home page. */
  console: 'Testbed console',
}

export const returnedTexts: Texts<typeof english> = {
  en: english,
  es: {
    title: 'Resultado del inicio de sesión',
    succeeded: 'El inicio de sesión se ha completado',
    failed: 'El inicio de sesión no ha devuelto ningún código',
    unused:
      'Otro programa ha empezado este inicio de sesión. La consola no usa el código: el programa puede canjearlo por tokens.',
    noCode: 'Otro programa ha empezado este inicio de sesión. El proveedor ha devuelto esto:',
    elsewhere:
      'Este inicio de sesión se empezó en la consola, pero en otro navegador o antes de volver a abrirla. El código queda sin usar. Vuelve a empezar en este navegador.',
    console: 'Consola del banco de pruebas',
  },
}

/** The texts for a login that cannot start. */
export const startTexts: Texts<{
  /** A page of another origin requested it. */
  readonly foreignPage: string
}> = {
  en: {
    foreignPage: 'Another website tried to start this login. Start it in the console.',
  },
  es: {
    foreignPage:
      'Otro sitio web ha intentado empezar este inicio de sesión. Empiézalo en la consola.',
  },
}
