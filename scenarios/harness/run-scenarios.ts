import { randomBytes } from 'node:crypto'
import type { Browser } from 'puppeteer-core'
import { createHopCollector } from './collect-hops.ts'
import { createControlClient } from './control-client.ts'
import { createTurns } from './create-turns.ts'
import { notRun, runScenario, type ScenarioOutcome } from './run-scenario.ts'
import type { ScenarioRun } from './select-scenarios.ts'
import type { Results, ScenarioResult } from './z-results.ts'
import type { TestbedFile } from './z-testbed-file.ts'

/** What happens while scenarios run, for whoever shows it. */
export type Progress =
  | { readonly kind: 'began'; readonly id: string }
  | { readonly kind: 'step'; readonly id: string; readonly title: string }
  | { readonly kind: 'ended'; readonly result: Omit<ScenarioResult, 'hops'> }

export interface RunScenariosOptions {
  readonly runs: readonly ScenarioRun[]
  readonly testbed: TestbedFile
  /** Name in `testbed.environments`; by default the first. */
  readonly environment?: string
  /** Starts a browser; called once, and only when a scenario opens a page. */
  readonly launchBrowser: () => Promise<Browser>
  /** How many run side by side, those apart that have to run alone. */
  readonly parallelism?: number
  readonly timeLimitMilliseconds?: number
  /** Scenarios' names and keys follow from it; by default random. */
  readonly seed?: string
  /** What `testbed run` needs besides the name to repeat a scenario; by default the seed. */
  readonly repeatOptions?: readonly string[]
  /**
   * The testbed is there for this run alone: after each exclusive scenario its whole state goes back
   * to what it was. A testbed of somebody else keeps what was done to it.
   */
  readonly isOwnTestbed?: boolean
  /** Begin none after the first that failed. */
  readonly bail?: boolean
  /** Interrupts: those under way are cut off, the others are not run, the results still come. */
  readonly signal?: AbortSignal
  readonly onProgress?: (progress: Progress) => void
  /** Told in the results: what was asked for. */
  readonly selection?: { readonly pattern?: string; readonly shard?: string }
}

/** Starts the browser on first use and remembers it, so that it can be closed in the end. */
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

/**
 * Runs scenarios against a running testbed: those that may side by side, then the exclusive ones
 * one by one. After each of these the clock is real again and nothing is broken.
 */
export async function runScenarios(options: RunScenariosOptions): Promise<Results> {
  const { runs, testbed, launchBrowser, bail = false, onProgress = () => {} } = options
  const { parallelism = 4, timeLimitMilliseconds = 60_000, selection = {} } = options
  const signal = options.signal ?? new AbortController().signal
  const environment = options.environment ?? Object.keys(testbed.environments)[0] ?? 'pre'
  const seed = options.seed ?? randomBytes(5).toString('hex')
  const { repeatOptions = ['--seed', seed] } = options
  const startedAt = new Date(performance.timeOrigin + performance.now()).toISOString()
  const began = performance.now()

  // An interrupt doesn't reach this one: traces are read and the clock is put right all the same.
  const control = createControlClient({
    ...testbed.control,
    environment,
    scenarioId: () => 'harness',
    signal: new AbortController().signal,
  })
  const hops = createHopCollector(control.readTraces)
  const browser = createLazyBrowser(launchBrowser)
  const outcomes = new Map<string, ScenarioOutcome>()
  const warnings: string[] = []
  const warn = (what: string) => (error: unknown) => {
    const told = `${what}: ${error instanceof Error ? error.message : error}`
    if (!warnings.includes(told)) warnings.push(told)
  }
  let failed = false

  /** False where it was not begun. */
  async function runOne(run: ScenarioRun): Promise<boolean> {
    if (signal.aborted || (bail && failed)) return false
    onProgress({ kind: 'began', id: run.id })
    const outcome = await runScenario(run, {
      testbed,
      environment,
      timeLimitMilliseconds,
      seed,
      repeatOptions,
      signal,
      browser: browser.get,
      hops,
      onStep: (title) => onProgress({ kind: 'step', id: run.id, title }),
    })
    outcomes.set(run.id, outcome)
    if (outcome.result.verdict === 'failed') failed = true
    onProgress({ kind: 'ended', result: outcome.result })
    return true
  }

  async function runEach(queue: ScenarioRun[]): Promise<void> {
    for (let run = queue.shift(); run !== undefined; run = queue.shift()) await runOne(run)
  }

  try {
    const [exclusive, parallel] = [true, false].map((alone) =>
      runs.filter(({ scenario }) => (scenario.exclusive ?? false) === alone),
    ) as [ScenarioRun[], ScenarioRun[]]
    await Promise.all(Array.from({ length: parallelism }, () => runEach(parallel)))
    const turns = createTurns(control, { restore: options.isOwnTestbed ?? false, warn })
    for (const run of exclusive) {
      await turns.begin()
      const hasRun = await runOne(run)
      await turns.end()
      if (!hasRun) break
    }
    await hops.collect().catch(warn('The recorded hops could not be read'))
  } finally {
    await browser.close()
  }

  return {
    schemaVersion: 1,
    startedAt,
    durationMilliseconds: performance.now() - began,
    interrupted: signal.aborted,
    environment,
    seed,
    ...selection,
    warnings,
    scenarios: runs.map((run) => {
      const outcome = outcomes.get(run.id)
      if (outcome === undefined) return { ...notRun(run, repeatOptions), hops: [] }
      return { ...outcome.result, hops: hops.hopsOf(outcome.runId) }
    }),
  }
}
