import { randomBytes } from 'node:crypto'
import type { Browser } from 'puppeteer-core'
import { createControlClient } from './control-client.ts'
import { createHopCollector, harnessTag } from './hops.ts'
import { createHttpClient } from './http-client.ts'
import { notRun, runScenario, type ScenarioOutcome } from './run-scenario.ts'
import type { ScenarioRun } from './select-scenarios.ts'
import {
  createChainView,
  createOwnTurns,
  createSharedTurns,
  describeChainLead,
  readChainLead,
  type Warn,
} from './turns.ts'
import type { Hop } from './z-control-answers.ts'
import type { Results, ScenarioResult } from './z-results.ts'
import type { TestbedFile } from './z-testbed-file.ts'

export interface ScenarioSessionOptions {
  readonly testbed: TestbedFile
  /** Name in `testbed.environments`. Default: the first. */
  readonly environment?: string
  /** Starts a browser; called once, and only when a scenario opens a page. */
  readonly launchBrowser: () => Promise<Browser>
  readonly timeLimitMilliseconds?: number
  /** Seed of the scenarios' names and keys. Default: random. */
  readonly seed?: string
  /** What `testbed run` needs in addition to the name to repeat a scenario. Default: the seed. */
  readonly repeatOptions?: readonly string[]
  /**
   * The testbed exists only for this run: after each exclusive scenario its whole state is
   * restored. A shared testbed keeps its changes, see {@link createSharedTurns}.
   */
  readonly isOwnTestbed?: boolean
  /**
   * The hops above an id. By default they come from the control interface, which costs a copy of
   * each.
   */
  readonly readTraces?: (since: number) => Promise<readonly Hop[]>
  /** Interrupts the run: aborts the scenarios in progress, and still returns the results. */
  readonly signal?: AbortSignal
  /** The selection as requested, for the results. */
  readonly selection?: { readonly pattern?: string; readonly shard?: string }
}

/** Scenarios that run against one testbed, in any order, and share one report. */
export interface ScenarioSession {
  /** Runs a scenario; several may run in parallel. */
  run(run: ScenarioRun, onStep?: (title: string) => void): Promise<ScenarioOutcome['result']>
  /** Runs an exclusive scenario, while no other runs, and restores the testbed. */
  runAlone(run: ScenarioRun, onStep?: (title: string) => void): Promise<ScenarioOutcome['result']>
  /**
   * Ends the session; `runs` are all scenarios of the results, whether they ran or not, in this
   * order.
   */
  close(runs: readonly ScenarioRun[]): Promise<Results>
}

/** Starts the browser on first use and keeps it, so that it can be closed at the end. */
function createLazyBrowser(launchBrowser: () => Promise<Browser>) {
  let browser: Promise<Browser> | undefined
  return {
    get: () => {
      browser ??= launchBrowser()
      return browser
    },
    close: async () => {
      await (await browser?.catch(() => undefined))?.close()
    },
  }
}

function createWarnings() {
  const warnings: string[] = []
  const warn: Warn = (what) => (error) => {
    const warning = `${what}: ${error instanceof Error ? error.message : error}`
    if (!warnings.includes(warning)) warnings.push(warning)
  }
  return { warnings, warn }
}

/** Begins a session; makes no request to the testbed before the first scenario runs. */
export function openScenarioSession(options: ScenarioSessionOptions): ScenarioSession {
  const { testbed, launchBrowser, timeLimitMilliseconds = 60_000, selection = {} } = options
  const signal = options.signal ?? new AbortController().signal
  const environment = options.environment ?? Object.keys(testbed.environments)[0] ?? 'pre'
  const seed = options.seed ?? randomBytes(5).toString('hex')
  const { repeatOptions = ['--seed', seed] } = options
  const startedAt = new Date(performance.timeOrigin + performance.now()).toISOString()
  const began = performance.now()

  // Not aborted by an interrupt: traces are read and the clock is restored anyway.
  const unstopped = { scenarioId: () => harnessTag, signal: new AbortController().signal }
  const control = createControlClient({ ...testbed.control, environment, ...unstopped })
  const http = createHttpClient({ caller: 'control', ...unstopped })
  const hops = createHopCollector(options.readTraces ?? control.readTraces)
  const browser = createLazyBrowser(launchBrowser)
  const { warnings, warn } = createWarnings()
  const outcomes = new Map<string, ScenarioOutcome>()
  const chain = createChainView(testbed.environments[environment]?.chain.rpcUrl ?? '', http)
  const runIds = () => new Set([...outcomes.values()].map(({ runId }) => runId))
  const turns = options.isOwnTestbed
    ? createOwnTurns(control, warn)
    : createSharedTurns({ control, hops, chain, runIds }, warn)

  // Read before a scenario switches faults on or off.
  const faults = options.isOwnTestbed ? undefined : control.listFaults().catch(() => [])
  const limits = testbed.environments[environment]?.limits ?? {}
  const findSkipReason = ({ scenario }: ScenarioRun) =>
    scenario.needs?.map((need) => limits[need]).find((reason) => reason !== undefined)

  const run: ScenarioSession['run'] = async (each, onStep = () => {}) => {
    const skipReason = findSkipReason(each)
    if (skipReason !== undefined) {
      const result = { ...notRun(each, repeatOptions), skipReason }
      outcomes.set(each.id, { runId: each.id, result })
      return result
    }
    const outcome = await runScenario(each, {
      testbed,
      environment,
      timeLimitMilliseconds,
      seed,
      repeatOptions,
      signal,
      browser: browser.get,
      hops,
      onStep,
    })
    outcomes.set(each.id, outcome)
    return outcome.result
  }

  return {
    run,
    async runAlone(each, onStep) {
      if (findSkipReason(each) !== undefined) return run(each, onStep)
      await turns.begin()
      try {
        return await run(each, onStep)
      } finally {
        await turns.end()
      }
    },
    async close(runs) {
      if (outcomes.size > 0) {
        await hops.collect().catch(warn('The recorded hops could not be read'))
        if (!options.isOwnTestbed) {
          // A problem for the next run is worth a warning, but not a failure of this one.
          warnings.push(...describeChainLead(await readChainLead(chain, control).catch(() => 0)))
          const left = (await faults) ?? []
          const hasFailed = [...outcomes.values()].some(({ result }) => result.verdict === 'failed')
          if (hasFailed && left.length > 0) {
            warnings.push(
              `When the run began, faults were on in this testbed: ${left.join(', ')}. Switch them off on the page "Clock and faults" of the console, and run it again.`,
            )
          }
        }
      }
      await browser.close()
      return {
        schemaVersion: 1,
        startedAt,
        durationMilliseconds: performance.now() - began,
        interrupted: signal.aborted,
        environment,
        seed,
        ...selection,
        warnings,
        scenarios: runs.map((each) => {
          const outcome = outcomes.get(each.id)
          if (outcome === undefined) return { ...notRun(each, repeatOptions), hops: [] }
          return { ...outcome.result, hops: hops.hopsOf(outcome.runId) }
        }),
      }
    },
  }
}

/** Progress events while scenarios run, for displays. */
export type Progress =
  | { readonly kind: 'began'; readonly id: string }
  | { readonly kind: 'step'; readonly id: string; readonly title: string }
  | { readonly kind: 'ended'; readonly result: Omit<ScenarioResult, 'hops'> }

export interface RunScenariosOptions extends ScenarioSessionOptions {
  readonly runs: readonly ScenarioRun[]
  /**
   * Decides which of `runs` runs next: undefined if none of this kind runs now. The run ends when
   * that is the answer for both kinds. The results then contain only those that it returned.
   * Default: all, in their order, exclusive ones last.
   */
  readonly takeNext?: (isExclusive: boolean) => Promise<ScenarioRun | undefined>
  /** How many run in parallel, except those that must run alone. */
  readonly parallelism?: number
  /** The others wait for the first one, whose result comes sooner then. */
  readonly hasHeadStart?: boolean
  /** Start none after the first that failed. */
  readonly bail?: boolean
  readonly onProgress?: (progress: Progress) => void
}

/**
 * Runs scenarios against a running testbed, several in parallel, and exclusive ones one at a time.
 * After each of these the clock is real again and all faults are off. An interrupt aborts the
 * scenarios in progress and skips the others; the results are still returned.
 */
export async function runScenarios(options: RunScenariosOptions): Promise<Results> {
  const { runs, signal, parallelism = 4, bail = false, onProgress = () => {} } = options
  const session = openScenarioSession(options)
  const taken: ScenarioRun[] = []
  let failed = false

  async function runEach(
    take: () => Promise<ScenarioRun | undefined>,
    run: typeof session.run,
    most = Number.POSITIVE_INFINITY,
  ) {
    for (let count = 0; count < most && !(signal?.aborted || (bail && failed)); count++) {
      const each = await take()
      if (each === undefined) return
      taken.push(each)
      const { id } = each
      onProgress({ kind: 'began', id })
      const result = await run(each, (title) => onProgress({ kind: 'step', id, title }))
      if (result.verdict === 'failed') failed = true
      onProgress({ kind: 'ended', result })
    }
  }

  const { takeNext = takeInOrder(runs) } = options
  const parallel = () => runEach(() => takeNext(false), session.run)
  if (options.hasHeadStart) await runEach(() => takeNext(false), session.run, 1)
  for (let before = -1; before < taken.length; ) {
    before = taken.length
    await Promise.all(Array.from({ length: parallelism }, parallel))
    await runEach(() => takeNext(true), session.runAlone)
  }
  return session.close(options.takeNext === undefined ? runs : taken)
}

function takeInOrder(runs: readonly ScenarioRun[]) {
  const isAlone = ({ scenario }: ScenarioRun) => scenario.exclusive ?? false
  const exclusive = runs.filter(isAlone)
  const parallel = runs.filter((run) => !isAlone(run))
  return async (isExclusive: boolean) => (isExclusive ? exclusive : parallel).shift()
}
