import type { Results, ScenarioResult, Verdict } from '#scenarios/harness/z-results.ts'

export interface Tally {
  readonly passed: number
  readonly failed: number
  /** Checks of the conformance kit alone. */
  readonly warned: number
  readonly inconclusive: number
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
    warned: countOf(scenarios, 'warned'),
    inconclusive: countOf(scenarios, 'inconclusive'),
    skipped: countOf(scenarios, 'interrupted', 'not-run'),
  }
}

/**
 * A tally in a line: `3 passed, 1 failed, 0 skipped` of scenarios, `1 FAIL, 0 WARN, 2 INCONCLUSIVE,
 * 3 PASS` of checks, with what was not finished where there is some.
 */
export function formatTally(tally: Tally, isConformance: boolean): string {
  const { passed, failed, warned, inconclusive, skipped } = tally
  if (!isConformance) return `${passed} passed, ${failed} failed, ${skipped} skipped`
  const counts = `${failed} FAIL, ${warned} WARN, ${inconclusive} INCONCLUSIVE, ${passed} PASS`
  return skipped > 0 ? `${counts}, ${skipped} not finished` : counts
}
