import { resolve } from 'node:path'
import { isTestbedError, type TestbedError } from '#core/errors/testbed-error.ts'
import type { Progress } from '#scenarios/harness/run-scenarios.ts'
import { partitionRuns, type ScenarioRun } from '#scenarios/harness/select-scenarios.ts'
import { mergeResults, type Results } from '#scenarios/harness/z-results.ts'
import { startChild } from '../../process/start-child.ts'
import { createWorkerRecord } from './create-worker-record.ts'
import type { WorkerCommand, WorkerStart } from './worker-command.ts'

/** A worker that is interrupted and tells no results for so many milliseconds is lost. */
const interruptLimit = 10_000

export interface RunInWorkersOptions extends Omit<WorkerStart, 'ids'> {
  readonly runs: readonly ScenarioRun[]
  /** How many processes there are at most. */
  readonly workers: number
  readonly signal: AbortSignal
  readonly onProgress: (progress: Progress) => void
}

/** How it went with a worker. */
interface Outcome {
  /** Its own, or what its record has of it. */
  readonly results: Results
  /** Why nothing ran there, where that is so. */
  readonly refusal?: TestbedError
}

/**
 * Runs scenarios in several processes, each with a testbed of its own, so that more than one
 * processor works and exclusive scenarios wait for fewer others. Where it is interrupted, or where a
 * worker is lost, the results of what ran come all the same. Every worker ends with this process,
 * however this one ends.
 * @throws TestbedError `not_started` where none of the testbeds started
 */
export async function runInWorkers(options: RunInWorkersOptions): Promise<Results> {
  const { runs, workers, signal, onProgress, ...start } = options
  const parts = partitionRuns(runs, workers)
  const outcomes = await Promise.all(parts.map((part) => work(part, start, { signal, onProgress })))
  const refusals = outcomes.map(({ refusal }) => refusal).filter((each) => each !== undefined)
  const [refusal] = refusals
  if (refusal && refusals.length === parts.length && !signal.aborted) throw refusal
  const [first, ...others] = outcomes.map(({ results }) => results)
  if (first === undefined) throw new TypeError('there is nothing to run')
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
    onTold: (told) => onProgress(told as Progress),
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
