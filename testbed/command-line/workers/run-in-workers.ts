import { resolve } from 'node:path'
import { mergeResults } from '#scenarios/harness/merge-results.ts'
import { partitionRuns } from '#scenarios/harness/partition-runs.ts'
import type { Progress } from '#scenarios/harness/run-scenarios.ts'
import type { ScenarioRun } from '#scenarios/harness/select-scenarios.ts'
import type { Results } from '#scenarios/harness/z-results.ts'
import { startChild } from '../../process/start-child.ts'
import type { WorkerCommand, WorkerStart } from './worker-command.ts'

export interface RunInWorkersOptions extends Omit<WorkerStart, 'ids'> {
  readonly runs: readonly ScenarioRun[]
  /** How many processes there are at most. */
  readonly workers: number
  readonly signal: AbortSignal
  readonly onProgress: (progress: Progress) => void
}

/**
 * Runs scenarios in several processes, each with a testbed of its own, so that more than one
 * processor works and exclusive scenarios wait for fewer others. Where it is interrupted, the results
 * of what ran come all the same. Every worker ends with this process, however this one ends.
 * @throws TestbedError `not_started` where a testbed did not start
 */
export async function runInWorkers(options: RunInWorkersOptions): Promise<Results> {
  const { runs, workers, signal, onProgress, ...start } = options
  const parts = partitionRuns(runs, workers)
  const working = parts.map((part) => work(part, start, { signal, onProgress }))
  // Each ends its process before anybody is told how the others went.
  await Promise.allSettled(working)
  const [first, ...others] = await Promise.all(working)
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
  const interrupt = () => void worker.send({ command: 'interrupt' }).catch(() => {})
  try {
    signal.addEventListener('abort', interrupt)
    if (signal.aborted) interrupt()
    return (await worker.send({ command: 'run' })) as Results
  } finally {
    signal.removeEventListener('abort', interrupt)
    await worker.close()
  }
}
