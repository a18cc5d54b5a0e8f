import type { TestbedError } from '#core/errors/testbed-error.ts'
import { notRun } from '#scenarios/harness/run-scenario.ts'
import type { Progress } from '#scenarios/harness/run-scenarios.ts'
import type { ScenarioRun } from '#scenarios/harness/select-scenarios.ts'
import type { Results, ScenarioResult } from '#scenarios/harness/z-results.ts'
import type { WorkerStart } from './worker-command.ts'

type Told = Omit<ScenarioResult, 'hops'>

/** What a worker has told of its scenarios so far: all that is left of them where it is lost. */
export interface WorkerRecord {
  note(progress: Progress): void
  readonly isEmpty: boolean
  /**
   * The results of a worker that has ended by itself, or could not begin. What was under way there
   * has failed, or is interrupted; what had ended is told without hops, which were kept in it.
   */
  toResults(lost: { readonly error: TestbedError; readonly interrupted: boolean }): Results
}

export interface WorkerRecordOptions
  extends Pick<WorkerStart, 'seed' | 'selection' | 'repeatOptions'> {
  readonly runs: readonly ScenarioRun[]
}

/** Begins a record of a worker that is starting now. */
export function createWorkerRecord(options: WorkerRecordOptions): WorkerRecord {
  const { runs, seed, selection, repeatOptions } = options
  const began = performance.now()
  const startedAt = new Date(performance.timeOrigin + began).toISOString()
  const ended = new Map<string, Told>()
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
      const cutOff = (run: ScenarioRun): Told => {
        const step = underWay.get(run.id)
        const code = interrupted ? 'interrupted' : 'worker_ended'
        return {
          ...notRun(run, repeatOptions),
          verdict: interrupted ? 'interrupted' : 'failed',
          failure: { code, message, ...(step !== undefined && { step }) },
        }
      }
      const resultOf = (run: ScenarioRun): Told =>
        ended.get(run.id) ?? (underWay.has(run.id) ? cutOff(run) : notRun(run, repeatOptions))
      return {
        schemaVersion: 1,
        startedAt,
        durationMilliseconds: performance.now() - began,
        interrupted,
        // The one of every testbed that is started for a run.
        environment: 'pre',
        seed,
        ...selection,
        warnings: [['A part of the run is missing.', message, ...hints].join(' ')],
        scenarios: runs.map((run) => ({ ...resultOf(run), hops: [] })),
      }
    },
  }
}
