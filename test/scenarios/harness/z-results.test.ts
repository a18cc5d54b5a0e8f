import { describe, expect, it } from 'vitest'
import { mergeResults } from '#scenarios/harness/z-results.ts'
import { createResults, createScenarioResult } from '#test/support/results.ts'

const part = (ids: readonly string[], overrides = {}) => ({
  ...createResults({ scenarios: ids.map((id) => createScenarioResult({ id })) }),
  ...overrides,
})

describe('mergeResults', () => {
  it('tells of all scenarios in the order of the whole', () => {
    const merged = mergeResults([part(['b', 'c']), part(['a', 'd'])], ['a', 'b', 'c', 'd'])
    expect(merged.scenarios.map(({ id }) => id)).toEqual(['a', 'b', 'c', 'd'])
  })

  it('lasts from the first beginning to the last end', () => {
    const merged = mergeResults(
      [
        part([], { startedAt: '2026-11-21T10:00:02.000Z', durationMilliseconds: 5000 }),
        part([], { startedAt: '2026-11-21T10:00:01.000Z', durationMilliseconds: 1000 }),
      ],
      [],
    )
    expect(merged).toMatchObject({
      startedAt: '2026-11-21T10:00:01.000Z',
      durationMilliseconds: 6000,
    })
  })

  it('is interrupted where one of them was, and gives each warning once', () => {
    const merged = mergeResults(
      [part([], { warnings: ['one'] }), part([], { interrupted: true, warnings: ['one', 'two'] })],
      [],
    )
    expect(merged).toMatchObject({ interrupted: true, warnings: ['one', 'two'] })
  })
})
