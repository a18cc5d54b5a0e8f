import type { PlanName } from '#conformance/kit/check.ts'
import type { TargetShape } from '#conformance/targets/target-shape.ts'
import { html } from '#core/html/html.ts'
import type { Reply } from '#kit/define-route.ts'
import type { Texts } from '#kit/language.ts'
import { consolePage, type Frame } from '../frame/page.ts'
import type { CheckEntry } from './inventory.ts'
import type { RunRecord } from './run-archive.ts'
import { currentRun } from './run-list.ts'
import { runTexts } from './texts.ts'

const english = {
  lead: 'Describe the system under test. The form is checked while you type; the connection check compares it with what the system reports.',
  name: 'Name of the file',
  nameAbout: 'Lower-case letters, digits and hyphens. It is kept with the data of the testbed.',
  load: 'Open a saved target',
  loadFile: 'Open a YAML file',
  choose: 'Choose…',
  download: 'Download as YAML',
  add: 'Add',
  remove: 'Remove',
  optional: 'optional',
  kind: 'Kind',
  list: 'Separate values with commas.',
  json: 'As JSON.',
  file: 'The file',
  strict: 'Strict: warnings and inconclusive checks fail',
  connect: 'Check the connection',
  connecting: 'Connecting…',
  run: 'Run the plan',
  runAnyway: 'Run anyway',
  valid: 'The form is complete. Check the connection, then run the plan.',
  ready: 'The system is ready.',
  problems: 'Problems',
  missing: 'Still to fill in',
  removeSaved: 'Delete this saved target',
  /** With `{name}`. */
  confirmRemove: 'Delete the saved target {name}?',
  checks: 'Checks',
  all: 'All',
  nothing: 'None',
  onlyWithoutPerson: 'Only without a person',
  person: 'person',
  /** With `{count}` and `{total}`. */
  chosen: '{count} of {total} checks are chosen.',
  personChosen:
    'Chosen checks that need a person: {count}. The tasks appear on the page of the run.',
}

const targetTexts: Texts<typeof english> = {
  en: english,
  es: {
    lead: 'Describe el sistema que quieres probar. El formulario se comprueba mientras escribes; la prueba de conexión lo compara con lo que dice el sistema.',
    name: 'Nombre del archivo',
    nameAbout:
      'Letras minúsculas, dígitos y guiones. Se guarda con los datos del banco de pruebas.',
    load: 'Abrir un objetivo guardado',
    loadFile: 'Abrir un archivo YAML',
    choose: 'Elegir…',
    download: 'Descargar como YAML',
    add: 'Añadir',
    remove: 'Quitar',
    optional: 'opcional',
    kind: 'Tipo',
    list: 'Separa los valores con comas.',
    json: 'Como JSON.',
    file: 'El archivo',
    strict: 'Estricto: los avisos y lo que queda sin resultado cuentan como fallo',
    connect: 'Probar la conexión',
    connecting: 'Conectando…',
    run: 'Ejecutar el plan',
    runAnyway: 'Ejecutar de todos modos',
    valid: 'El formulario está completo. Prueba la conexión y después ejecuta el plan.',
    ready: 'El sistema está listo.',
    problems: 'Problemas',
    missing: 'Falta por rellenar',
    removeSaved: 'Borrar este objetivo guardado',
    confirmRemove: '¿Borrar el objetivo guardado {name}?',
    checks: 'Comprobaciones',
    all: 'Todas',
    nothing: 'Ninguna',
    onlyWithoutPerson: 'Solo sin persona',
    person: 'persona',
    chosen: 'Has elegido {count} de {total} comprobaciones.',
    personChosen:
      'En {count} de ellas tiene que actuar una persona. Las tareas aparecen en la página de la ejecución.',
  },
}

export interface TargetPageOptions {
  readonly plan: PlanName
  readonly shape: TargetShape
  readonly checks: readonly CheckEntry[]
  /** Names of saved targets. */
  readonly saved: readonly string[]
  readonly current: RunRecord | undefined
}

/** The form of a target, which the module generates from the schema of the plan. */
export function targetPage(frame: Frame, options: TargetPageOptions): Reply {
  const { language } = frame
  const { plan, shape, checks, saved, current } = options
  const texts = targetTexts[language]
  return consolePage(frame, {
    title: runTexts[language].planRun(runTexts[language].plans[plan].name),
    room: 'conformance',
    script: 'target-form.js',
    style: 'runs.css',
    data: { plan, shape, checks, saved, texts, isBusy: current !== undefined },
    body: html`<p class="lead">${texts.lead}</p>
${currentRun(current, language)}
<div id="target"></div>`,
  })
}
