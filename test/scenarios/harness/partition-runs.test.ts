import { describe, expect, it } from 'vitest'
import { partitionRuns } from '#scenarios/harness/partition-runs.ts'
import { selectScenarios } from '#scenarios/harness/select-scenarios.ts'
import { createScenario } from '#test/support/create-scenario.ts'

const named = (kind: string, count: number, overrides = {}) =>
  Array.from({ length: count }, (_, index) =>
    createScenario({ id: `suite/${kind}-${index}`, ...overrides }),
  )
const idsOf = (parts: ReturnType<typeof partitionRuns>) =>
  parts.map((part) => part.map(({ id }) => id))

describe('partitionRuns', () => {
  it('gives each worker about the same to do, and everything once', () => {
    const runs = selectScenarios([
      ...named('plain', 30),
      ...named('alone', 10, { exclusive: true }),
      ...named('page', 1, { usesBrowser: true }),
    ])
    const parts = partitionRuns(runs, 2)
    expect(
      parts
        .flat()
        .map(({ id }) => id)
        .sort(),
    ).toEqual(runs.map(({ id }) => id))
    const [first = [], second = []] = parts
    const weight = (part: typeof first) =>
      part.reduce((sum, { scenario: { exclusive, usesBrowser } }) => {
        return sum + (usesBrowser ? 14 : exclusive ? 2 : 1)
      }, 0)
    expect(Math.abs(weight(first) - weight(second))).toBeLessThanOrEqual(2)
  })

  it('keeps those with a real browser together', () => {
    const runs = selectScenarios([...named('page', 3, { usesBrowser: true }), ...named('z', 3)])
    const [first = [], second = []] = idsOf(partitionRuns(runs, 2))
    expect(first.filter((id) => id.includes('page'))).toHaveLength(3)
    expect(second).toHaveLength(3)
  })

  it('deals them out alike each time, and leaves workers without any out', () => {
    const runs = selectScenarios(named('plain', 3))
    expect(idsOf(partitionRuns(runs, 2))).toEqual(idsOf(partitionRuns(runs, 2)))
    expect(partitionRuns(runs, 8)).toHaveLength(3)
    expect(partitionRuns([], 2)).toEqual([])
  })
})
