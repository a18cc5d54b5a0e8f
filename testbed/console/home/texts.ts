import type { Texts } from '#kit/language.ts'

const english = {
  title: 'LEAR testbed',
  lead: 'A complete environment for organizational credentials on this machine: issuer, verifier, identity provider, registries and chain.',
  tour: 'Take the tour',
  portal: 'Issue a credential',
  logIn: 'Log in with a credential',
  activity: 'What happened recently',
  nothingYet: 'Nothing yet. Issue a credential or log in, and it appears here.',
  times: '{times} times',
  allExchanges: 'All exchanges, message by message',
  parts: 'Parts',
  shared: 'Shared by all environments',
  checking: 'Checking…',
  healthy: 'Healthy',
  degraded: 'Degraded',
  broken: 'Not working',
  allHealthy: 'All {total} parts are healthy.',
  someUnhealthy: '{count} of {total} parts need attention.',
  silent: 'No connection to the testbed.',
  api: 'API',
}

export const homeTexts: Texts<typeof english> = {
  en: english,
  es: {
    title: 'Banco de pruebas LEAR',
    lead: 'Un entorno completo de credenciales de organización en este equipo: emisor, verificador, proveedor de identidad, registros y cadena de bloques.',
    tour: 'Hacer el recorrido',
    portal: 'Emitir una credencial',
    logIn: 'Iniciar sesión con una credencial',
    activity: 'Qué ha pasado hace poco',
    nothingYet: 'Todavía nada. Emite una credencial o inicia sesión y aparecerá aquí.',
    times: '{times} veces',
    allExchanges: 'Todos los intercambios, mensaje a mensaje',
    parts: 'Componentes',
    shared: 'Comunes a todos los entornos',
    checking: 'Comprobando…',
    healthy: 'Funciona',
    degraded: 'Degradado',
    broken: 'No funciona',
    allHealthy: 'Los {total} componentes funcionan.',
    someUnhealthy: '{count} de {total} componentes requieren atención.',
    silent: 'Sin conexión con el banco de pruebas.',
    api: 'API',
  },
}

/** Names of the parts in Spanish; in English they are those of the addresses. */
const spanishNames: Readonly<Record<string, string>> = {
  console: 'consola',
  'mail (inbox and API)': 'correo (buzón y API)',
  'mail (SMTP)': 'correo (SMTP)',
  'chain (JSON-RPC)': 'cadena (JSON-RPC)',
  'DID registry': 'registro de DID',
  'API keys': 'claves de API',
  'management API': 'API de gestión',
  connector: 'conector',
  issuer: 'emisor',
  verifier: 'verificador',
  'token issuer': 'emisor de tokens',
}

export const partName = (language: 'en' | 'es', name: string) => {
  const text = language === 'es' ? (spanishNames[name] ?? name) : name
  return text.charAt(0).toUpperCase() + text.slice(1)
}
