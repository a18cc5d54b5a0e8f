import type { Language, Texts } from '#kit/language.ts'
import type { Journey } from './journeys.ts'

interface ExchangesTexts {
  readonly title: string
  readonly lead: string
  readonly journeys: Readonly<Record<Journey['kind'], string>>
  /** Without the name of the person or client. */
  readonly issuance: string
  readonly login: string
  readonly revocation: string
  /** Labels and messages of the page and its module. */
  readonly page: Readonly<Record<string, string>>
  /** The words of `scenarios/reports/browser/words.js`. */
  readonly words: Readonly<Record<string, string>>
  readonly parts: Readonly<Record<string, string>>
}

export const exchangesTexts: Texts<ExchangesTexts> = {
  en: {
    title: 'Live exchanges',
    lead: 'Every message between the parts, as it happens. Secrets are masked, signatures are cut.',
    issuance: 'Issuance',
    login: 'Login',
    revocation: 'Revocation',
    journeys: {
      scenario: 'Scenario {scenario}',
      revocation: 'Revocation of the credential of {person}',
      issuance: 'Issuance to {person}',
      login: 'Login at {client}',
      seeding: 'Setup of the registries',
      'registry-change': 'Change to the registries',
      records: 'List of credentials',
      request: '{request}',
    },
    page: {
      journey: 'Journey',
      current: 'All except the setup',
      all: 'All, with the setup',
      part: 'Part',
      anyPart: 'All parts',
      status: 'Status',
      anyStatus: 'Any status',
      failing: 'Errors and broken rules',
      redirect: 'Redirects',
      success: 'Successes',
      text: 'Text in the messages',
      pause: 'Pause',
      resume: 'Resume',
      clear: 'Clear',
      showAll: 'Show everything again',
      export: 'Export',
      link: 'Link to this view',
      newest: '↓ Jump to the newest',
      shown: '{count} of {total} exchanges',
      waiting: 'Paused, {count} more',
      nothing:
        'Nothing has been recorded yet. Issue a credential or log in, and the messages appear here.',
      noMatch: 'No exchange matches the filter.',
      cleared: 'The next messages appear here.',
      lost: 'The testbed does not respond. The diagram continues when it does.',
      gone: 'This exchange is no longer stored.',
      close: 'Close',
      previous: 'Previous',
      next: 'Next',
      repeated: 'The last of {count} equal exchanges',
      open: 'open',
      done: 'completed',
      rejected: 'rejected',
      exchange: 'Exchange {number}',
      selected: 'Selected exchange',
    },
    words: {},
    parts: {
      browser: 'Browser',
      wallet: 'Wallet',
      portal: 'Portal',
      'relying-party': 'Relying party',
      client: 'Client',
      operator: 'Operator',
      organization: 'Organization',
      tao: 'TAO',
      control: 'Control',
      'token-issuer': 'Token issuer',
      idp: 'IDP',
      verifier: 'Verifier',
      issuer: 'Issuer',
      connector: 'Connector',
      management: 'Management',
      'api-keys': 'API keys',
      'did-registry': 'DID registry',
      tir: 'TIR',
      chain: 'Chain',
      mail: 'Mail',
      mailbox: 'Mailbox',
      console: 'Console',
    },
  },
  es: {
    title: 'Intercambios en vivo',
    lead: 'Cada mensaje entre los componentes, en el momento. Los secretos se ocultan y las firmas se recortan.',
    issuance: 'Emisión',
    login: 'Inicio de sesión',
    revocation: 'Revocación',
    journeys: {
      scenario: 'Escenario {scenario}',
      revocation: 'Revocación de la credencial de {person}',
      issuance: 'Emisión a {person}',
      login: 'Inicio de sesión en {client}',
      seeding: 'Preparación de los registros',
      'registry-change': 'Cambio en los registros',
      records: 'Lista de credenciales',
      request: '{request}',
    },
    page: {
      journey: 'Proceso',
      current: 'Todos menos la preparación',
      all: 'Todos, con la preparación',
      part: 'Componente',
      anyPart: 'Todos',
      status: 'Estado',
      anyStatus: 'Cualquiera',
      failing: 'Errores y reglas incumplidas',
      redirect: 'Redirecciones',
      success: 'Correctos',
      text: 'Texto en los mensajes',
      pause: 'Pausar',
      resume: 'Reanudar',
      clear: 'Vaciar',
      showAll: 'Mostrar todo de nuevo',
      export: 'Exportar',
      link: 'Enlace a esta vista',
      newest: '↓ Ir al último',
      shown: '{count} de {total} intercambios',
      waiting: 'En pausa, {count} más',
      nothing:
        'Aún no hay nada registrado. Emite una credencial o inicia sesión y los mensajes aparecerán aquí.',
      noMatch: 'Ningún intercambio coincide con el filtro.',
      cleared: 'Los próximos mensajes aparecerán aquí.',
      lost: 'El banco de pruebas no responde. El diagrama seguirá cuando responda.',
      gone: 'Este intercambio ya no se conserva.',
      close: 'Cerrar',
      previous: 'Anterior',
      next: 'Siguiente',
      repeated: 'El último de {count} intercambios iguales',
      open: 'en curso',
      done: 'completado',
      rejected: 'rechazado',
      exchange: 'Intercambio {number}',
      selected: 'Intercambio seleccionado',
    },
    words: {
      noAnswer: 'sin respuesta',
      arrow: '{number}. De {from} a {to}: {label}',
      rulesBroken: 'reglas incumplidas',
      diagram: 'Diagrama de secuencia de {count} intercambios entre {parts}',
      tokenBelow: 'JWT, decodificado abajo',
      decoded: 'decodificado, {algorithm}',
      noAlgorithm: 'sin alg',
      header: 'Cabecera',
      payload: 'Contenido',
      query: 'Parámetros',
      body: 'Cuerpo',
      request: 'Petición',
      response: 'Respuesta {status}',
      tokensIn: 'En la {message}',
      exchangeAt: '{label}, a las {time} UTC, {duration}',
      passes: 'se cumple',
      breaks: 'se incumple',
      place: '{rule} en {path}',
      rules: 'Reglas',
      checkedBy: 'Comprobado por {judge}: {summary}',
      showRules: 'Mostrar las reglas',
      passingRules: 'Las {count} que se cumplen',
      oneRulePassed: '1 regla cumplida',
      rulesPassed: '{count} reglas cumplidas',
      oneRuleBroken: '1 de 1 regla incumplida',
      someRulesBroken: '{broken} de {count} reglas incumplidas',
    },
    parts: {
      browser: 'Navegador',
      wallet: 'Cartera',
      portal: 'Portal',
      'relying-party': 'Parte usuaria',
      client: 'Cliente',
      operator: 'Operador',
      organization: 'Organización',
      tao: 'TAO',
      control: 'Control',
      'token-issuer': 'Emisor de tokens',
      idp: 'IDP',
      verifier: 'Verificador',
      issuer: 'Emisor',
      connector: 'Conector',
      management: 'Gestión',
      'api-keys': 'Claves de API',
      'did-registry': 'Registro de DID',
      tir: 'TIR',
      chain: 'Cadena',
      mail: 'Correo',
      mailbox: 'Buzón',
      console: 'Consola',
    },
  },
}

/** `relying-party` as `Relying party`. */
function readableClient(client: string): string {
  const words = client.replaceAll(/[-_]+/g, ' ')
  return words.charAt(0).toUpperCase() + words.slice(1)
}

/** The name of a journey, for example `Issuance to Ana Ruiz` or `Login at Relying party`. */
export function nameOfJourney(language: Language, journey: Journey): string {
  const texts = exchangesTexts[language]
  const { kind, person, client, scenario, request } = journey
  if ((kind === 'issuance' || kind === 'revocation') && person === undefined) return texts[kind]
  if (kind === 'login' && client === undefined) return texts.login
  const [part = '', ...rest] = request.split(' ')
  const values: Readonly<Record<string, string | undefined>> = {
    person,
    client: client && (texts.parts[client] ?? readableClient(client)),
    scenario,
    request: [texts.parts[part] ?? part, ...rest].join(' '),
  }
  return texts.journeys[kind].replace(/\{(\w+)\}/, (_, name: string) => values[name] ?? '')
}
