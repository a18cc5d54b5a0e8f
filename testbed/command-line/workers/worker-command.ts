import type { RunScenariosOptions } from '#scenarios/harness/run-scenarios.ts'

/** How a worker begins: with a testbed of its own. */
export interface WorkerStart
  extends Pick<RunScenariosOptions, 'parallelism' | 'timeLimitMilliseconds' | 'selection'> {
  /** Ids of the scenarios that it runs, `suite/name/algorithm`. */
  readonly ids: readonly string[]
  readonly seed: string
  readonly repeatOptions: readonly string[]
  /** Each service as a process of its own. */
  readonly processes: boolean
  readonly executablePath?: string
}

/** What the runner tells a worker over the IPC channel. */
export type WorkerCommand =
  /** Answered with the results. */
  { readonly command: 'run' } | { readonly command: 'interrupt' } | { readonly command: 'close' }
