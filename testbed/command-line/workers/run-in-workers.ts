import { resolve } from 'node:path'
import { isTestbedError, type TestbedError } from '#core/errors/testbed-error.ts'
import { notRun } from '#scenarios/harness/run-scenario.ts'
import type { Progress, RunScenariosOptions } from '#scenarios/harness/run-scenarios.ts'
import { partitionRuns, type ScenarioRun } from '#scenarios/harness/select-scenarios.ts'
import { mergeResults, type Results, type ScenarioResult } from '#scenarios/harness/z-results.ts'
import { type Child, startChild } from '#testbed/process/start-child.ts'
import { createRunQueues, type RunQueue } from './run-queues.ts'

/** An interrupted worker that returns no results within this many milliseconds is lost. */
const interruptLimit = 10_000

export interface RunInWorkersOptions extends WorkerOrder {
  readonly runs: readonly ScenarioRun[]
  /** The maximum number of processes. */
  readonly workers: number
  /** Processes that are already starting. They close as they end; the caller waits for it. */
  readonly started?: readonly Worker[] | undefined
  readonly processes: boolean
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
  const { runs, workers, started = [], processes, signal, onProgress, ...order } = options
  const parts = partitionRuns(runs, workers)
  for (const unused of started.slice(parts.length)) void closeWorker(unused)
  const queues = createRunQueues(parts)
  const outcomes = await Promise.all(
    parts.map((_, index) => {
      const start = { number: index + 1, seed: order.seed, processes }
      const worker = started[index] ?? startWorker(start)
      return work(queues.open(index), order, worker, { signal, onProgress }).finally(async () => {
        // The process of an early worker may end while the caller writes the reports.
        const closing = closeWorker(worker)
        if (started[index] === undefined) await closing
      })
    }),
  )
  const refusals = outcomes.map(({ refusal }) => refusal).filter((each) => each !== undefined)
  const [refusal] = refusals
  if (refusal && refusals.length === parts.length && !signal.aborted) throw refusal
  const [first, ...others] = outcomes.map(({ results }) => results)
  if (first === undefined) throw new TypeError('no scenario to run')
  const left = queues.left().map((run) => ({ ...notRun(run, order.repeatOptions), hops: [] }))
  return mergeResults(
    [{ ...first, scenarios: [...left, ...first.scenarios] }, ...others],
    runs.map(({ id }) => id),
  )
}

async function work(
  queue: RunQueue,
  order: WorkerOrder,
  worker: Worker,
  { signal, onProgress }: Pick<RunInWorkersOptions, 'signal' | 'onProgress'>,
): Promise<Outcome> {
  const record = createWorkerRecord({ ...order, taken: queue.taken })
  worker.onMessage = (message, send) => {
    if (message.kind === 'take') {
      const run = signal.aborted ? undefined : queue.take(message.isExclusive)?.id
      send({ command: 'give', ...(run !== undefined && { run }) }).catch(() => {})
      return
    }
    record.note(message)
    onProgress(message)
  }
  try {
    return { results: await runInWorker(worker, order, signal) }
  } catch (error) {
    if (!isTestbedError(error)) throw error
    queue.close()
    const results = record.toResults({ error, interrupted: signal.aborted })
    return { results, ...(record.isEmpty && { refusal: error }) }
  }
}

/** A process with its own testbed. It starts before its scenarios are known. */
export interface Worker {
  readonly child: Promise<Child<WorkerCommand, null>>
  /** Called with what it reports while it runs scenarios. */
  onMessage: (message: WorkerMessage, send: SendCommand) => void
}

type SendCommand = (command: WorkerCommand) => Promise<unknown>

/** Starts a worker, which `runInWorkers` uses or closes; after another one, if given. */
export function startWorker(start: WorkerStart, previous?: Worker): Worker {
  const startNow = () =>
    startChild<WorkerCommand, null>({
      module: resolve(import.meta.dirname, 'main'),
      argument: start,
      failureCode: 'not_started',
      name: 'A process of this run',
      hints: ['--workers 1 runs everything in this process.'],
      onMessage(payload) {
        const send: SendCommand = async (command) => (await worker.child).send(command)
        worker.onMessage(payload as WorkerMessage, send)
      },
    })
  const worker: Worker = {
    child: previous ? previous.child.then(startNow, startNow) : startNow(),
    onMessage() {},
  }
  // The run receives the error when it uses the worker.
  worker.child.catch(() => {})
  return worker
}

async function runInWorker(
  { child }: Worker,
  order: WorkerOrder,
  signal: AbortSignal,
): Promise<Results> {
  const { send, close } = await child
  let limit: NodeJS.Timeout | undefined
  const interrupt = () => {
    limit = setTimeout(close, interruptLimit)
    send({ command: 'interrupt' }).catch(() => {})
  }
  try {
    signal.addEventListener('abort', interrupt)
    if (signal.aborted) interrupt()
    return (await send({ command: 'run', order })) as Results
  } finally {
    clearTimeout(limit)
    signal.removeEventListener('abort', interrupt)
  }
}

/** Ends a worker, however it is doing; can be called twice. */
export async function closeWorker({ child }: Worker): Promise<void> {
  await child.then(
    ({ close }) => close(),
    () => {},
  )
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
export interface WorkerStart {
  /** From 1, for lists of processes. */
  readonly number: number
  readonly seed: string
  /** Each service in a separate process. */
  readonly processes: boolean
}

/** What a worker runs on its testbed. */
export interface WorkerOrder
  extends Pick<RunScenariosOptions, 'parallelism' | 'timeLimitMilliseconds' | 'selection'> {
  readonly seed: string
  readonly repeatOptions: readonly string[]
  readonly executablePath?: string
}

/** Messages from the runner to a worker over the IPC channel. */
export type WorkerCommand =
  /** Answered with the results. */
  | { readonly command: 'run'; readonly order: WorkerOrder }
  /** Answers a question for the next scenario: its id, or none. */
  | { readonly command: 'give'; readonly run?: string }
  | { readonly command: 'interrupt' }
  | { readonly command: 'close' }

/** Messages from a worker: the progress of its scenarios, or a question for the next one. */
export type WorkerMessage = Progress | { readonly kind: 'take'; readonly isExclusive: boolean }

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

interface WorkerRecordOptions extends Pick<WorkerOrder, 'seed' | 'selection' | 'repeatOptions'> {
  /** The scenarios that it has received so far. */
  readonly taken: readonly ScenarioRun[]
}

/** Creates the record of a worker that is starting. */
function createWorkerRecord(options: WorkerRecordOptions): WorkerRecord {
  const { taken, seed, selection, repeatOptions } = options
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
        scenarios: taken.map((run) => ({ ...resultOf(run), hops: [] })),
      }
    },
  }
}
