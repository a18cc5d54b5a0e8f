import { z } from 'zod'
import { type PlanName, planNames } from '#conformance/kit/check.ts'
import type { TargetShape } from '#conformance/targets/target-shape.ts'
import { TestbedError } from '#core/errors/testbed-error.ts'
import { html } from '#core/html/html.ts'
import { type AnyRoute, defineRoute, type Reply } from '#kit/define-route.ts'
import type { Texts } from '#kit/language.ts'
import type { ConsoleDependencies } from '../dependencies.ts'
import { definePage } from '../frame/define-page.ts'
import { consolePage, type Frame } from '../frame/page.ts'
import { type CheckEntry, listChecks } from './inventory.ts'
import { currentRun } from './page.ts'
import type { RunRecord } from './run-archive.ts'
import { readMembers, writeTarget, zTargetName } from './saved-targets.ts'
import { runTexts } from './texts.ts'

const zPlanPath = z.object({ plan: z.enum(planNames) })
const zText = z.string().max(256 * 1024)

const showTarget = definePage({
  path: '/conformance/:plan',
  section: 'conformance',
  summary: 'The form of a target',
  params: zPlanPath,
  async render({ frame, params: { plan } }, { targets, runs }) {
    const { shapeOf, targetSchemaOf } = await import('#conformance/targets/target-shape.ts')
    const shape = shapeOf(await targetSchemaOf(plan))
    return targetPage(frame, {
      plan,
      shape,
      checks: await listChecks(plan),
      saved: await targets.list(),
      current: runs.current(),
    })
  },
})

const checkText = defineRoute<ConsoleDependencies>()({
  method: 'post',
  path: '/console/target-checks',
  summary: 'Validate a target: its members, or the text of a file',
  auth: 'control',
  documented: false,
  request: {
    body: z.strictObject({
      plan: z.enum(planNames),
      value: z.record(z.string(), z.unknown()).optional(),
      text: zText.optional(),
    }),
  },
  responses: { 200: { description: 'The file, its members and its problems' } },
  errors: ['invalid_request'],
  async handle({ body: { plan, value = {}, text = writeTarget(value) } }) {
    const { parseTarget } = await import('#conformance/targets/read-target.ts')
    const { listPersonChecks } = await import('#conformance/targets/list-person-checks.ts')
    const { loadChecks } = await import('#conformance/kit/load-checks.ts')
    const { problems } = await parseTarget(text, plan)
    const members = readMembers(text)
    const personChecks = listPersonChecks(plan, members, await loadChecks(plan))
    return { status: 200, body: { text, value: members, problems, personChecks } }
  },
})

const readSaved = defineRoute<ConsoleDependencies>()({
  method: 'get',
  path: '/console/targets/:name',
  summary: 'The text of a saved target',
  auth: 'control',
  documented: false,
  request: { params: z.object({ name: zTargetName }) },
  responses: { 200: { description: 'The text' } },
  errors: ['unknown_target'],
  async handle({ params: { name } }, { targets }) {
    return { status: 200, body: { text: await targets.read(name) } }
  },
})

const removeSaved = defineRoute<ConsoleDependencies>()({
  method: 'delete',
  path: '/console/targets/:name',
  summary: 'Delete a saved target',
  auth: 'control',
  documented: false,
  request: { params: z.object({ name: zTargetName }) },
  responses: { 204: { description: 'The target is deleted' } },
  errors: ['unknown_target'],
  async handle({ params: { name } }, { targets }) {
    await targets.remove(name)
    return { status: 204 }
  },
})

const zTargetBody = z.strictObject({
  plan: z.enum(planNames),
  name: zTargetName,
  text: zText,
  strict: z.boolean().optional(),
  checks: z
    .array(z.string().regex(/^[A-Z]\d{2,3}$/, 'must be the id of a check'))
    .min(1)
    .max(500)
    .optional()
    .describe('By default all'),
})

const connect = defineRoute<ConsoleDependencies>()({
  method: 'post',
  path: '/console/preflights',
  summary: 'Save a target, connect to its system and name each problem',
  auth: 'command',
  documented: false,
  request: { body: zTargetBody },
  responses: { 200: { description: 'The problems' } },
  errors: ['console_key_missing', 'invalid_request', 'loopback_only', 'not_checked'],
  async handle({ body: { plan, name, text } }, { targets, isLoopback }) {
    requireLoopback(isLoopback)
    const problems = await targets.connect(plan, await targets.save(name, text))
    return { status: 200, body: { problems } }
  },
})

/** A target may name commands, which only a person at this machine may run. */
function requireLoopback(isLoopback: boolean): void {
  if (isLoopback) return
  const message =
    'Targets can be used only in a console on this machine. Run bin/testbed conformance in a terminal.'
  throw new TestbedError({ code: 'loopback_only', status: 403, message })
}

const startTargetRun = defineRoute<ConsoleDependencies>()({
  method: 'post',
  path: '/console/target-runs',
  summary: 'Save a target and run its plan',
  auth: 'command',
  documented: false,
  request: { body: zTargetBody },
  responses: {
    200: { description: 'The page of the run', body: z.object({ location: z.string() }) },
  },
  errors: ['console_key_missing', 'invalid_request', 'loopback_only', 'run_in_progress'],
  async handle({ body: { plan, name, text, strict, checks } }, { targets, runs, isLoopback }) {
    requireLoopback(isLoopback)
    const target = await targets.save(name, text)
    const pattern = checks && `^(${checks.join('|')})$`
    const request = { kind: 'conformance', plan, subject: name, target, strict, pattern } as const
    const { id } = await runs.start(request)
    return { status: 200, body: { location: `/runs/${id}` } }
  },
})

export const targetRoutes: readonly AnyRoute<ConsoleDependencies>[] = [
  showTarget,
  checkText,
  readSaved,
  removeSaved,
  connect,
  startTargetRun,
]

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

interface TargetPageOptions {
  readonly plan: PlanName
  readonly shape: TargetShape
  readonly checks: readonly CheckEntry[]
  /** Names of saved targets. */
  readonly saved: readonly string[]
  readonly current: RunRecord | undefined
}

/** The form of a target, which the module generates from the schema of the plan. */
function targetPage(frame: Frame, options: TargetPageOptions): Reply {
  const { language } = frame
  const { plan, shape, checks, saved, current } = options
  const texts = targetTexts[language]
  return consolePage(frame, {
    title: runTexts[language].planRun(runTexts[language].plans[plan].name),
    section: 'conformance',
    script: 'target-form.js',
    style: 'runs.css',
    data: { plan, shape, checks, saved, texts, isBusy: current !== undefined },
    body: html`<p class="lead">${texts.lead}</p>
${currentRun(current, language)}
<div id="target"></div>`,
  })
}
