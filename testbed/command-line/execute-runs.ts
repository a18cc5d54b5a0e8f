import { availableParallelism } from 'node:os'
import { wrongUsage } from '#scenarios/errors.ts'
import type { RunScenariosOptions } from '#scenarios/harness/run-scenarios.ts'
import type { Results } from '#scenarios/harness/z-results.ts'
import { runOnTestbed, type SelectedRuns } from '../runs/run-and-report.ts'
import { findRunningTestbed } from '../runs/running-testbed.ts'
import { startOwnTestbed } from './start-own-testbed.ts'
import { countWorkers, runInWorkers, startWorker, type Worker } from './workers/run-in-workers.ts'

/** The command line's choice of where and how the selected scenarios run. */
export interface ExecutionOptions {
  /** A running testbed's `testbed.json`. */
  readonly testbed?: string
  /** Each service in a separate process. */
  readonly processes?: boolean
  readonly bail?: boolean
  readonly seed?: string
  /** The number of scenarios that run in parallel in a process. */
  readonly parallel?: number
  /** The number of processes, each with its own testbed. */
  readonly workers?: number
}

/** @throws TestbedError `invalid_option` for options that contradict each other */
export function refuseCombination(options: ExecutionOptions): void {
  const { testbed, processes = false, workers = 1, bail = false } = options
  if (processes && testbed !== undefined) {
    throw wrongUsage(
      '--processes starts a testbed, but --testbed names a running one. Use only one of these options.',
    )
  }
  if (workers > 1 && testbed !== undefined) {
    throw wrongUsage(
      'Each worker starts a testbed, but --testbed names a running one. Omit --testbed or use one worker.',
    )
  }
  if (workers > 1 && bail) {
    throw wrongUsage(
      '--bail works with one worker only: other workers would not stop after a failure.',
    )
  }
}

/**
 * Starts the workers of a run of all suites while the suites are still loading: their testbeds take
 * several times as long to start.
 */
export function startWorkersEarly(seed: string, options: ExecutionOptions): readonly Worker[] {
  const { testbed, processes = false, bail = false } = options
  const usual =
    bail || processes ? 1 : countWorkers(Number.POSITIVE_INFINITY, availableParallelism())
  const { workers = usual } = options
  if (testbed !== undefined || workers === 1) return []
  const started: Worker[] = []
  for (let number = 1; number <= workers; number++) {
    // One after the other: together they would delay the first result.
    started.push(startWorker({ number, seed, processes }, started.at(-1)))
  }
  return started
}

/**
 * Runs the selected scenarios: on the given testbed, on a new one in memory on free ports, or in
 * several processes with a testbed each if that saves time.
 * @throws TestbedError `not_running`, `not_started`
 */
export async function executeRuns(
  { runs, seed, selection }: SelectedRuns,
  options: ExecutionOptions,
  {
    signal,
    onProgress,
    started,
  }: Required<Pick<RunScenariosOptions, 'signal' | 'onProgress'>> & {
    /** Workers that were started for this run. */
    readonly started: readonly Worker[]
  },
): Promise<Results> {
  const { testbed, processes = false, bail = false, parallel } = options
  const executablePath = process.env.PUPPETEER_EXECUTABLE_PATH
  const shared = {
    runs,
    seed,
    selection,
    signal,
    onProgress,
    ...(parallel !== undefined && { parallelism: parallel }),
    ...(executablePath !== undefined && { executablePath }),
  }
  if (testbed !== undefined) {
    const file = await findRunningTestbed(testbed)
    process.stderr.write(`Using the running testbed at ${file.consoleUrl}.\n`)
    // On a testbed that has already seen these names, the scenarios would meet the state of the
    // earlier run.
    const repeated = options.seed === undefined ? [] : ['--seed', seed]
    const used = { file, isOwn: false, close: async () => {} }
    const repeatOptions = ['--testbed', testbed, ...repeated]
    return runOnTestbed(used, { ...shared, bail, repeatOptions })
  }
  const repeatOptions = [...(processes ? ['--processes'] : []), '--seed', seed]
  const usual = bail || processes ? 1 : countWorkers(runs.length, availableParallelism())
  const { workers = usual } = options
  if (workers > 1 && runs.length > 1) {
    return runInWorkers({ ...shared, workers, processes, started, repeatOptions })
  }
  const { file, readTraces, close } = await startOwnTestbed({ seed, processes })
  return runOnTestbed({ file, isOwn: true, readTraces, close }, { ...shared, bail, repeatOptions })
}
