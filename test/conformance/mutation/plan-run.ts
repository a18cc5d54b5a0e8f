import type { PlanName } from '#conformance/kit/check.ts'

/** What a process of one plan is asked for; the one argument that it gets, as JSON. */
export interface PlanRun {
  readonly plan: PlanName
  /** Each mutant runs only against its own check. */
  readonly own: boolean
  /** Regular expression on names of mutants. */
  readonly only?: string | undefined
  /** Whether progress is reported on stderr, as stdout is for data. */
  readonly toStderr: boolean
}
