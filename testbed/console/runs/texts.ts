import type { PlanName } from '#conformance/kit/check.ts'
import type { Texts } from '#kit/language.ts'
import type { ChangeKind } from '#scenarios/reports/create-difference.ts'
import type { RunRecord } from './run-archive.ts'

const english = {
  conformanceLead:
    'A plan tests a wallet, verifier, issuer, identity provider, relying party or registry against the profile. Each check tests one requirement and reports what the system did.',
  suitesLead:
    'Scenarios test all services together, from the credential offer to the rejected login.',
  plans: {
    wallet: { name: 'Wallet', about: 'The kit plays issuers, verifiers and registries.' },
    verifier: { name: 'Verifier', about: 'The kit plays wallets and registries.' },
    issuer: { name: 'Issuer', about: 'The kit plays the wallet and the portal.' },
    idp: {
      name: 'Identity provider',
      about: 'The kit plays relying parties, the browser, the wallet and registries.',
    },
    'relying-party': {
      name: 'Relying party',
      about: 'The kit plays the OpenID provider and the browsers of users.',
    },
    'did-registry': { name: 'DID registry', about: 'The kit acts as a client with keys.' },
    tir: { name: 'Trusted issuers registry', about: 'The kit acts as a client with keys.' },
  } satisfies Record<PlanName, { readonly name: string; readonly about: string }>,
  checks: (count: number) => `${count} checks`,
  runSelf: 'Test the built-in part',
  testOther: 'Test another system',
  self: 'The testbed’s own',
  current: 'A run is in progress',
  earlier: 'Earlier runs',
  none: 'No runs yet',
  columns: {
    time: 'Started',
    what: 'Run',
    subject: 'Tested',
    result: 'Result',
    actions: 'Actions',
  },
  states: {
    running: 'Running',
    ended: 'Ended',
    undecided: 'Failed: too few results',
    stopped: 'Stopped',
    failed: 'Did not run',
  } satisfies Record<RunRecord['state'], string>,
  /** Counts by verdict, for example `3 failed`. */
  counts: {
    passed: (count: number) => `${count} passed`,
    failed: (count: number) => `${count} failed`,
    warned: (count: number) => (count === 1 ? '1 warning' : `${count} warnings`),
    inconclusive: (count: number) => `${count} inconclusive`,
    skipped: (count: number) => `${count} not finished`,
  },
  chooseSuites: 'Suites',
  all: 'All suites',
  scenarios: (count: number) => (count === 1 ? '1 scenario' : `${count} scenarios`),
  where: 'Run against',
  here: 'This testbed',
  hereAbout:
    'Uses its settings and keeps everything that the scenarios create. To be able to undo that, create a snapshot first. Do not use this testbed during the run.',
  separate: 'A separate testbed',
  separateAbout: 'Starts in memory and ends with the run. This testbed does not change.',
  start: 'Run',
  suiteRun: 'Scenario suites',
  planRun: (plan: string) => `Plan: ${plan}`,
  report: 'Open the report',
  compare: 'Compare',
  compareWith: 'Compare with an earlier run',
  comparedTitle: 'Changes since the earlier run',
  nothingChanged: 'Nothing changed.',
  otherSelection: 'The two runs did not select the same checks.',
  more: (count: number) => `and ${count} more`,
  changes: {
    'newly-failing': 'Newly failing',
    'newly-warned': 'New warnings',
    undecided: 'Now inconclusive',
    fixed: 'Fixed',
    decided: 'Now decided',
    failing: 'Still failing',
    slower: 'Slower',
    'not-finished': 'Not finished',
    new: 'New',
    gone: 'Gone',
  } satisfies Record<ChangeKind, string>,
  problem: 'The run did not start, or ended early. Its last output:',
  remove: 'Delete',
  /** A question, with the title of a run and its start. */
  confirmRemove: (title: string, time: string) =>
    `Delete the run “${title}” from ${time} and its report?`,
}

export const runTexts: Texts<typeof english> = {
  en: english,
  es: {
    conformanceLead:
      'Un plan prueba una cartera, un verificador, un emisor, un proveedor de identidad, una parte usuaria o un registro frente al perfil. Cada comprobación examina un requisito e indica qué hizo el sistema.',
    suitesLead:
      'Los escenarios prueban todos los servicios juntos, desde la oferta de credencial hasta el inicio de sesión rechazado.',
    plans: {
      wallet: {
        name: 'Cartera',
        about: 'El kit hace de emisores, verificadores y registros.',
      },
      verifier: { name: 'Verificador', about: 'El kit hace de carteras y registros.' },
      issuer: { name: 'Emisor', about: 'El kit hace de cartera y de portal.' },
      idp: {
        name: 'Proveedor de identidad',
        about: 'El kit hace de partes usuarias, navegador, cartera y registros.',
      },
      'relying-party': {
        name: 'Parte usuaria',
        about: 'El kit hace de proveedor de OpenID y de los navegadores de los usuarios.',
      },
      'did-registry': { name: 'Registro de DID', about: 'El kit es su cliente, con claves.' },
      tir: {
        name: 'Registro de emisores de confianza',
        about: 'El kit es su cliente, con claves.',
      },
    },
    checks: (count) => `${count} comprobaciones`,
    runSelf: 'Probar el componente incluido',
    testOther: 'Probar otro sistema',
    self: 'El del banco de pruebas',
    current: 'Hay una ejecución en curso',
    earlier: 'Ejecuciones anteriores',
    none: 'Todavía no hay ejecuciones',
    columns: {
      time: 'Inicio',
      what: 'Ejecución',
      subject: 'Sistema',
      result: 'Resultado',
      actions: 'Acciones',
    },
    states: {
      running: 'En curso',
      ended: 'Terminada',
      undecided: 'Fallida: faltan resultados',
      stopped: 'Detenida',
      failed: 'No se ejecutó',
    },
    counts: {
      passed: (count) => (count === 1 ? '1 correcta' : `${count} correctas`),
      failed: (count) => (count === 1 ? '1 fallida' : `${count} fallidas`),
      warned: (count) => (count === 1 ? '1 aviso' : `${count} avisos`),
      inconclusive: (count) => `${count} sin resultado`,
      skipped: (count) => `${count} sin terminar`,
    },
    chooseSuites: 'Suites',
    all: 'Todas las suites',
    scenarios: (count) => (count === 1 ? '1 escenario' : `${count} escenarios`),
    where: 'Ejecutar en',
    here: 'Este banco de pruebas',
    hereAbout:
      'Usa su configuración y conserva lo que crean los escenarios: para deshacerlo, crea antes una instantánea. No lo uses durante la ejecución.',
    separate: 'Un banco de pruebas aparte',
    separateAbout:
      'Arranca en memoria y termina con la ejecución. Este banco de pruebas no cambia.',
    start: 'Ejecutar',
    suiteRun: 'Suites de escenarios',
    planRun: (plan) => `Plan: ${plan}`,
    report: 'Abrir el informe',
    compare: 'Comparar',
    compareWith: 'Comparar con una ejecución anterior',
    comparedTitle: 'Cambios desde la ejecución anterior',
    nothingChanged: 'No ha cambiado nada.',
    otherSelection: 'Las dos ejecuciones no seleccionaron las mismas comprobaciones.',
    more: (count) => `y ${count} más`,
    changes: {
      'newly-failing': 'Fallan ahora',
      'newly-warned': 'Avisos nuevos',
      undecided: 'Ahora sin resultado',
      fixed: 'Corregidas',
      decided: 'Ahora con resultado',
      failing: 'Siguen fallando',
      slower: 'Más lentas',
      'not-finished': 'Sin terminar',
      new: 'Nuevas',
      gone: 'Ya no están',
    },
    problem: 'La ejecución no arrancó o se interrumpió. Su última salida:',
    remove: 'Borrar',
    confirmRemove: (title, time) => `¿Borrar la ejecución «${title}» de ${time} con su informe?`,
  },
}
