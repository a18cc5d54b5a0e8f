import { z } from 'zod'
import { planNames } from '#conformance/kit/check.ts'
import { TestbedError } from '#core/errors/testbed-error.ts'
import { type AnyRoute, defineRoute } from '#kit/define-route.ts'
import { sendEvents } from '#kit/event-stream.ts'
import { zPersonReply } from '#scenarios/harness/z-person-question.ts'
import type { Verdict } from '#scenarios/harness/z-results.ts'
import { createEndedEvent } from '#scenarios/harness/z-run-event.ts'
import type { ConsoleDependencies } from '../dependencies.ts'
import { definePage } from '../frame/define-page.ts'
import { countChecks, listSuites } from './inventory.ts'
import { conformancePage, describeComparison, runPage, showEvent, suitesPage } from './page.ts'
import { type RunRecord, zRunId } from './run-archive.ts'
import type { NumberedEvent } from './runs.ts'

/** Ids of checks; a word that begins with a hyphen would be an option. */
const zPattern = z.string().max(200).regex(/^[^-]/, 'must not begin with a hyphen')
const zRunPath = z.object({ id: zRunId })
const locationReply = {
  description: 'The page of the run',
  body: z.object({ location: z.string() }),
}

const showConformance = definePage({
  path: '/conformance',
  section: 'conformance',
  summary: 'Conformance plans and their runs',
  async render({ frame }, { runs }) {
    const list = (await runs.list()).filter(({ kind }) => kind === 'conformance')
    return conformancePage(frame, {
      current: runs.current(),
      runs: list,
      checks: await countChecks(),
    })
  },
})

const showSuites = definePage({
  path: '/suites',
  section: 'suites',
  summary: 'Scenario suites and their runs',
  async render({ frame }, { runs }) {
    const list = (await runs.list()).filter(({ kind }) => kind === 'suites')
    return suitesPage(frame, { current: runs.current(), runs: list, suites: await listSuites() })
  },
})

const verdictOrder: readonly Verdict[] = [
  'failed',
  'warned',
  'inconclusive',
  'interrupted',
  'passed',
  'not-run',
]

/** The events of a run in progress; later those of its results, which know the exchanges. */
async function readEvents(
  { id, state }: RunRecord,
  { runs }: Pick<ConsoleDependencies, 'runs'>,
): Promise<readonly NumberedEvent[]> {
  const results = state === 'running' ? undefined : await runs.archive.readResults(id)
  if (results === undefined) return runs.eventsOf(id)
  // The page shows the last ones first.
  const ordered = results.scenarios.toSorted(
    (one, other) => verdictOrder.indexOf(other.verdict) - verdictOrder.indexOf(one.verdict),
  )
  return ordered.map((result, index) => ({
    number: index + 1,
    event: createEndedEvent(result),
  }))
}

const showRun = definePage({
  path: '/runs/:id',
  section: 'conformance',
  summary: 'The progress and the results of a run',
  params: zRunPath,
  query: z.looseObject({ with: zRunId.optional().catch(undefined) }),
  async render({ frame, params, query }, dependencies) {
    const { runs } = dependencies
    const record = await runs.find(params.id)
    const others = (await runs.list()).filter(
      ({ id, kind, plan }) => id < record.id && kind === record.kind && plan === record.plan,
    )
    const before = others.find(({ id }) => id === query.with)
    const isReadable = ['ended', 'undecided', 'stopped'].includes(record.state)
    return runPage(frame, {
      record,
      events: await readEvents(record, dependencies),
      hasReport: isReadable && (await runs.archive.readReport(record.id)) !== undefined,
      others,
      comparison: before && (await describeComparison(runs.archive, before.id, record.id)),
      comparedWith: before?.id,
    })
  },
})

/** Links of a report lead to files next to it. Here they lead to the pages that the console serves. */
function linkToConsole(report: string, documentationPath: string | undefined): string {
  if (documentationPath === undefined) return report
  const extension = documentationPath.endsWith('.md') ? '.md' : ''
  return report.replace(
    /(?<= (?:href|data-profile)=")[^"#]*\/profile\/([\w{}-]+)\.(?:md|html)(?=["#])/g,
    `/docs/profile/$1${extension}`,
  )
}

/**
 * The report, sandboxed in a separate origin: it shows what systems under test have sent. Its own policy,
 * which allows only its style and script, is in the page.
 */
const showReport = defineRoute<ConsoleDependencies>()({
  method: 'get',
  path: '/runs/:id/report',
  summary: 'The report of a run',
  auth: 'control',
  documented: false,
  request: { params: zRunPath },
  responses: { 200: { description: 'The report', contentType: 'text/html' } },
  async handle({ params }, { runs, documentationPath }) {
    const { id } = await runs.find(params.id)
    const report = await runs.archive.readReport(id)
    if (report === undefined) {
      const message = 'This run has no report.'
      throw new TestbedError({ code: 'no_report', status: 404, message })
    }
    return {
      status: 200,
      contentType: 'text/html; charset=utf-8',
      headers: {
        'content-security-policy': "sandbox allow-scripts allow-popups; frame-ancestors 'none'",
      },
      body: linkToConsole(String(report), documentationPath),
    }
  },
})

const startSelfRun = defineRoute<ConsoleDependencies>()({
  method: 'post',
  path: '/console/self-runs',
  summary: "Run a conformance plan against the testbed's own part",
  auth: 'control',
  documented: false,
  request: { body: z.strictObject({ plan: z.enum(planNames), pattern: zPattern.optional() }) },
  responses: { 200: locationReply },
  errors: ['invalid_request', 'run_in_progress'],
  async handle({ body }, { runs }) {
    const { id } = await runs.start({
      ...body,
      kind: 'conformance',
      subject: 'self',
      target: 'self',
    })
    return { status: 200, body: { location: `/runs/${id}` } }
  },
})

const startSuiteRun = defineRoute<ConsoleDependencies>()({
  method: 'post',
  path: '/console/suite-runs',
  summary: 'Run scenario suites',
  auth: 'control',
  documented: false,
  request: {
    body: z
      .object({ testbed: z.enum(['here', 'separate']) })
      .catchall(z.boolean())
      .describe('The suites to run are members with the value true'),
  },
  responses: { 200: locationReply },
  errors: ['invalid_request', 'no_suites', 'run_in_progress'],
  async handle({ body: { testbed, ...chosen } }, { runs }) {
    const suites = (await listSuites()).map(({ name }) => name).filter((name) => chosen[name])
    if (suites.length === 0) {
      const message = 'Choose at least one suite.'
      throw new TestbedError({ code: 'no_suites', status: 400, message })
    }
    const { id } = await runs.start({ kind: 'suites', suites, isHere: testbed === 'here' })
    return { status: 200, body: { location: `/runs/${id}` } }
  },
})

const removeRun = defineRoute<ConsoleDependencies>()({
  method: 'delete',
  path: '/console/runs/:id',
  summary: 'Delete a run with its reports',
  auth: 'control',
  documented: false,
  request: { params: zRunPath },
  responses: { 204: { description: 'The run is deleted' } },
  errors: ['unknown_run', 'run_in_progress'],
  async handle({ params }, { runs }) {
    await runs.remove(params.id)
    return { status: 204 }
  },
})

const stopRun = defineRoute<ConsoleDependencies>()({
  method: 'post',
  path: '/console/runs/:id/stop',
  summary: 'End a run in progress',
  auth: 'control',
  documented: false,
  request: { params: zRunPath },
  responses: { 204: { description: 'The run ends after its current check' } },
  errors: ['run_ended'],
  handle({ params }, { runs }) {
    runs.stop(params.id)
    return { status: 204 }
  },
})

const answerQuestion = defineRoute<ConsoleDependencies>()({
  method: 'post',
  path: '/console/runs/:id/answers',
  summary: 'Answer a question of a run',
  auth: 'control',
  documented: false,
  request: {
    limit: 4_000_000,
    params: zRunPath,
    body: z.strictObject({ question: z.int().min(1), reply: zPersonReply }),
  },
  responses: { 204: { description: 'The run continues' } },
  errors: ['invalid_request', 'run_ended'],
  handle({ params, body: { question, reply } }, { runs }) {
    runs.answer(params.id, question, reply)
    return { status: 204 }
  },
})

const streamRun = defineRoute<ConsoleDependencies>()({
  method: 'get',
  path: '/console/runs/:id/events',
  summary: 'The events of a run as server-sent events',
  auth: 'control',
  documented: false,
  request: {
    params: zRunPath,
    query: z.object({ since: z.coerce.number().int().min(0).default(0) }),
  },
  responses: {
    200: { description: 'Events `run`, then `end`', contentType: 'text/event-stream' },
  },
  errors: ['invalid_request', 'unknown_run'],
  async handle({ params: { id }, query, request, response }, { runs, stopping }) {
    await runs.find(id)
    let last = Number(request.get('last-event-id') ?? query.since)
    let hasEnded = false
    const over = new AbortController()
    await sendEvents(response, {
      stopping: AbortSignal.any([stopping, over.signal]),
      subscribe: (notify) =>
        runs.follow(id, (event) => {
          hasEnded ||= event === undefined
          notify()
        }),
      *read() {
        const isComplete = hasEnded
        for (const { number, event } of runs.eventsOf(id)) {
          if (number <= last) continue
          last = number
          yield `id: ${number}\nevent: run\ndata: ${JSON.stringify(showEvent(event))}\n\n`
        }
        if (!isComplete) return
        yield 'event: end\ndata: {}\n\n'
        over.abort()
      },
    })
    return { status: 200 }
  },
})

export const runRoutes: readonly AnyRoute<ConsoleDependencies>[] = [
  showConformance,
  showSuites,
  showRun,
  showReport,
  startSelfRun,
  startSuiteRun,
  removeRun,
  stopRun,
  answerQuestion,
  streamRun,
]
