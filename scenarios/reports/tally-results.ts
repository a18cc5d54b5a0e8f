import type { Results, ScenarioResult, Verdict } from '#scenarios/harness/z-results.ts'

export interface Tally {
  readonly passed: number
  readonly failed: number
  /** Cut off, or not begun. */
  readonly skipped: number
}

const countOf = (scenarios: readonly ScenarioResult[], ...verdicts: Verdict[]) =>
  scenarios.filter(({ verdict }) => verdicts.includes(verdict)).length

/** Counts scenarios by verdict. */
export function tallyResults({ scenarios }: Pick<Results, 'scenarios'>): Tally {
  return {
    passed: countOf(scenarios, 'passed'),
    failed: countOf(scenarios, 'failed'),
    skipped: countOf(scenarios, 'interrupted', 'not-run'),
  }
}
