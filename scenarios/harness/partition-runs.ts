import type { ScenarioRun } from './select-scenarios.ts'

// About what they cost beside one that drives the services alone: a real browser draws pages, and
// while somebody has the testbed alone nobody else works.
const browserWeight = 14
const exclusiveWeight = 2

/**
 * Deals scenarios out to so many workers, each with a testbed of its own, so that all have about the
 * same to do. Those with a real browser stay together: one browser serves them all. The same
 * scenarios always come to the same worker; workers without any are left out.
 */
export function partitionRuns(runs: readonly ScenarioRun[], workers: number): ScenarioRun[][] {
  const parts = Array.from({ length: workers }, () => ({ weight: 0, runs: [] as ScenarioRun[] }))
  const [first] = parts
  for (const run of runs) {
    const { usesBrowser = false, exclusive = false } = run.scenario
    const lightest = parts.reduce((one, other) => (other.weight < one.weight ? other : one))
    const part = usesBrowser && first ? first : lightest
    part.runs.push(run)
    part.weight += (usesBrowser ? browserWeight : 1) * (exclusive ? exclusiveWeight : 1)
  }
  return parts.map((part) => part.runs).filter((part) => part.length > 0)
}
