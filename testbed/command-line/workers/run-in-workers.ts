import { resolve } from 'node:path'
import { isTestbedError, type TestbedError } from '#core/errors/testbed-error.ts'
import { notRun } from '#scenarios/harness/run-scenario.ts'
import type { Progress, RunScenariosOptions } from '#scenarios/harness/run-scenarios.ts'
import { partitionRuns, type ScenarioRun } from '#scenarios/harness/select-scenarios.ts'
import { mergeResults, type Results, type ScenarioResult } from '#scenarios/harness/z-results.ts'
import { startChild } from '../../process/start-child.ts'

/** An interrupted worker that returns no results within this many milliseconds is lost. */
const interruptLimit = 10_000

export interface RunInWorkersOptions extends Omit<WorkerStart, 'ids'> {
  readonly runs: readonly ScenarioRun[]
  /** The maximum number of processes. */
  readonly workers: number
  readonly signal: AbortSignal
  readonly onProgress: (progress: Progress) => void
}

/** The result of a worker. */
interface Outcome {
  /** The worker's results, or those from its record. */
  readonly results: Results
  /** Why the worker ran nothing, if so. */
  readonly refusal?: TestbedError
}

/**
 * Runs scenarios in several processes, each with its own testbed, to use more than one processor
 * and to shorten the wait of exclusive scenarios. If the run is interrupted or a worker is lost,
 * the results of the scenarios that ran are still returned. Every worker ends with this process,
 * however this one ends.
 * @throws TestbedError `not_started` if none of the testbeds started
 */
export async function runInWorkers(options: RunInWorkersOptions): Promise<Results> {
  const { runs, workers, signal, onProgress, ...start } = options
  const parts = partitionRuns(runs, workers)
  const outcomes = await Promise.all(parts.map((part) => work(part, start, { signal, onProgress })))
  const refusals = outcomes.map(({ refusal }) => refusal).filter((each) => each !== undefined)
  const [refusal] = refusals
  if (refusal && refusals.length === parts.length && !signal.aborted) throw refusal
  const [first, ...others] = outcomes.map(({ results }) => results)
  if (first === undefined) throw new TypeError('no scenario to run')
  return mergeResults(
    [first, ...others],
    runs.map(({ id }) => id),
  )
}

async function work(
  runs: readonly ScenarioRun[],
  start: Omit<WorkerStart, 'ids'>,
  { signal, onProgress }: Pick<RunInWorkersOptions, 'signal' | 'onProgress'>,
): Promise<Outcome> {
  const record = createWorkerRecord({ ...start, runs })
  const note = (progress: Progress) => {
    record.note(progress)
    onProgress(progress)
  }
  try {
    return { results: await runInWorker(runs, start, { signal, onProgress: note }) }
  } catch (error) {
    if (!isTestbedError(error)) throw error
    const results = record.toResults({ error, interrupted: signal.aborted })
    return { results, ...(record.isEmpty && { refusal: error }) }
  }
}

async function runInWorker(
  runs: readonly ScenarioRun[],
  start: Omit<WorkerStart, 'ids'>,
  { signal, onProgress }: Pick<RunInWorkersOptions, 'signal' | 'onProgress'>,
): Promise<Results> {
  const argument: WorkerStart = { ...start, ids: runs.map(({ id }) => id) }
  const worker = await startChild<WorkerCommand, null>({
    module: resolve(import.meta.dirname, 'main'),
    argument,
    failureCode: 'not_started',
    name: 'A process of this run',
    hints: ['--workers 1 runs everything in this process.'],
    onMessage: (payload) => onProgress(payload as Progress),
  })
  let limit: NodeJS.Timeout | undefined
  const interrupt = () => {
    limit = setTimeout(worker.close, interruptLimit)
    worker.send({ command: 'interrupt' }).catch(() => {})
  }
  try {
    signal.addEventListener('abort', interrupt)
    if (signal.aborted) interrupt()
    return (await worker.send({ command: 'run' })) as Results
  } finally {
    clearTimeout(limit)
    signal.removeEventListener('abort', interrupt)
    await worker.close()
  }
}

// With fewer runs per worker a second testbed costs more than it saves.
const runsPerWorker = 100

// Each worker needs about 400 MiB.
const most = 4

/** The number of processes that save time with this number of processors. */
export function countWorkers(runs: number, processors: number): number {
  return Math.max(1, Math.min(processors, most, Math.ceil(runs / runsPerWorker)))
}

/** The start message of a worker, which starts its own testbed. */
export interface WorkerStart
  extends Pick<RunScenariosOptions, 'parallelism' | 'timeLimitMilliseconds' | 'selection'> {
  /** Ids of the scenarios that it runs, `suite/name/algorithm`. */
  readonly ids: readonly string[]
  readonly seed: string
  readonly repeatOptions: readonly string[]
  /** Each service in a separate process. */
  readonly processes: boolean
  readonly executablePath?: string
}

/** Messages from the runner to a worker over the IPC channel. */
export type WorkerCommand =
  /** Answered with the results. */
  { readonly command: 'run' } | { readonly command: 'interrupt' } | { readonly command: 'close' }

type ReportedResult = Omit<ScenarioResult, 'hops'>

/** What a worker has reported of its scenarios so far: the only results if the worker is lost. */
interface WorkerRecord {
  note(progress: Progress): void
  readonly isEmpty: boolean
  /**
   * The results of a worker that ended by itself, or could not start. Scenarios in progress have
   * failed, or are interrupted; finished ones have no hops, which were in the worker's memory.
   */
  toResults(lost: { readonly error: TestbedError; readonly interrupted: boolean }): Results
}

interface WorkerRecordOptions extends Pick<WorkerStart, 'seed' | 'selection' | 'repeatOptions'> {
  readonly runs: readonly ScenarioRun[]
}

/** Creates the record of a worker that is starting. */
function createWorkerRecord(options: WorkerRecordOptions): WorkerRecord {
  const { runs, seed, selection, repeatOptions } = options
  const began = performance.now()
  const startedAt = new Date(performance.timeOrigin + began).toISOString()
  const ended = new Map<string, ReportedResult>()
  /** By id, with the step's title. */
  const underWay = new Map<string, string | undefined>()

  return {
    note(progress) {
      if (progress.kind === 'began') underWay.set(progress.id, undefined)
      if (progress.kind === 'step') underWay.set(progress.id, progress.title)
      if (progress.kind !== 'ended') return
      underWay.delete(progress.result.id)
      ended.set(progress.result.id, progress.result)
    },
    get isEmpty() {
      return ended.size + underWay.size === 0
    },
    toResults({ error: { message, hints }, interrupted }) {
      const cutOff = (run: ScenarioRun): ReportedResult => {
        const step = underWay.get(run.id)
        const code = interrupted ? 'interrupted' : 'worker_ended'
        return {
          ...notRun(run, repeatOptions),
          verdict: interrupted ? 'interrupted' : 'failed',
          failure: { code, message, ...(step !== undefined && { step }) },
        }
      }
      const resultOf = (run: ScenarioRun): ReportedResult =>
        ended.get(run.id) ?? (underWay.has(run.id) ? cutOff(run) : notRun(run, repeatOptions))
      return {
        schemaVersion: 1,
        startedAt,
        durationMilliseconds: performance.now() - began,
        interrupted,
        // The error that every testbed of this run reports.
        environment: 'pre',
        seed,
        ...selection,
        warnings: [['A part of the run is missing.', message, ...hints].join(' ')],
        scenarios: runs.map((run) => ({ ...resultOf(run), hops: [] })),
      }
    },
  }
}
