import type { PlanName } from '#conformance/kit/check.ts'

/** What a process of one plan is asked for; the one argument that it gets, as JSON. */
export interface PlanRun {
  readonly plan: PlanName
  /** Each mutant meets its own check alone. */
  readonly own: boolean
  /** Regular expression on names of mutants. */
  readonly only?: string | undefined
  /** Whether what happens is told on stderr, as stdout is for data. */
  readonly toStderr: boolean
}
