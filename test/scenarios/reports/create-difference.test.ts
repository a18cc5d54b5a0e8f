import { describe, expect, it } from 'vitest'
import type { Results, Verdict } from '#scenarios/harness/z-results.ts'
import {
  countChanges,
  createDifference,
  groupChanges,
  hasNewFailures,
} from '#scenarios/reports/create-difference.ts'
import { createResults, createScenarioResult } from '#test/support/results.ts'

const scenario = (name: string, verdict: Verdict, durationMilliseconds = 1000) =>
  createScenarioResult({ name, verdict, durationMilliseconds })
const kindsOf = (before: Results, after: Results) =>
  createDifference(before, after).changes.map(({ kind, id }) => [kind, id.split('/')[1]])

describe('createDifference', () => {
  it.each<[Verdict, Verdict, string[]]>([
    ['passed', 'passed', []],
    ['passed', 'failed', ['newly-failing']],
    ['passed', 'interrupted', ['not-finished']],
    ['passed', 'not-run', ['not-finished']],
    ['failed', 'passed', ['mended']],
    ['failed', 'failed', ['failing']],
    ['failed', 'not-run', ['not-finished']],
    ['not-run', 'passed', []],
    ['interrupted', 'failed', ['new']],
    ['not-run', 'not-run', []],
  ])('%s, then %s', (before, after, kinds) => {
    const [earlier, later] = [before, after].map((verdict) =>
      createResults({ scenarios: [scenario('one', verdict)] }),
    ) as [Results, Results]
    expect(kindsOf(earlier, later).map(([kind]) => kind)).toEqual(kinds)
    expect(hasNewFailures(createDifference(earlier, later))).toBe(
      before === 'passed' && after === 'failed',
    )
  })

  it('tells what is new and what is gone, after what is more urgent', () => {
    const before = createResults({
      scenarios: [scenario('b', 'passed'), scenario('gone', 'passed')],
    })
    const after = createResults({ scenarios: [scenario('new', 'failed'), scenario('b', 'failed')] })
    expect(kindsOf(before, after)).toEqual([
      ['newly-failing', 'b'],
      ['new', 'new'],
      ['gone', 'gone'],
    ])
    expect(countChanges(createDifference(before, after))).toBe('1 newly failing, 1 new, 1 gone')
  })

  it('tells of the first only where many are new, and how many more there are', () => {
    const scenarios = Array.from({ length: 25 }, (_, number) => scenario(`n-${number}`, 'passed'))
    const [group, ...others] = groupChanges(
      createDifference(createResults({ scenarios: [] }), createResults({ scenarios })),
    )
    expect(others).toEqual([])
    expect([group?.kind, group?.changes.length, group?.more]).toEqual(['new', 20, 5])
  })

  it('knows whether both were asked for the same', () => {
    const before = createResults({ pattern: '^login/' })
    expect(createDifference(before, createResults()).isSameSelection).toBe(false)
    const all = createResults({ pattern: '', shard: '1/1' })
    expect(createDifference(all, createResults()).isSameSelection).toBe(true)
    expect(createDifference(before, createResults({ pattern: '^login/' })).isSameSelection).toBe(
      true,
    )
  })

  it('compares algorithms apart', () => {
    const before = createResults({ scenarios: [createScenarioResult({ algorithm: 'EdDSA' })] })
    expect(createDifference(before, createResults()).changes.map(({ kind }) => kind)).toEqual([
      'new',
      'gone',
    ])
  })
})

describe('slower', () => {
  const names = ['a', 'b', 'c', 'd', 'e', 'f', 'g']
  const run = (...durations: number[]) =>
    createResults({
      scenarios: durations.map((duration, index) =>
        scenario(names[index] ?? '', 'passed', duration),
      ),
    })
  const before = run(1000, 1000, 1000, 1000, 1000, 1000, 100)

  it('is what takes more than twice as long, and half a second more', () => {
    expect(kindsOf(before, run(2600, 1000, 1000, 1000, 1000, 1000, 100))).toEqual([['slower', 'a']])
  })

  it.each([
    ['nearly twice as long', run(1990, 1000, 1000, 1000, 1000, 1000, 100)],
    ['many times as long, but not by much', run(1000, 1000, 1000, 1000, 1000, 1000, 590)],
    ['all of it on a machine that is busy', run(3000, 2900, 3100, 2800, 3000, 3300, 700)],
    ['times that stray anyway', run(4000, 1900, 600, 1400, 800, 2900, 150)],
    ['quicker', run(10, 10, 10, 10, 10, 10, 10)],
  ])('is not: %s', (_, after) => {
    expect(kindsOf(before, after)).toEqual([])
  })

  it('is found among times that stray, where it strays further', () => {
    const after = run(20_000, 1900, 600, 1400, 800, 2900, 150)
    expect(kindsOf(before, after)).toEqual([['slower', 'a']])
  })

  it('is found on a busy machine too', () => {
    expect(kindsOf(before, run(9000, 2900, 3100, 2800, 3000, 3300, 300))).toEqual([['slower', 'a']])
  })

  it('is not excused by a machine that is quicker otherwise', () => {
    expect(kindsOf(before, run(2600, 400, 400, 400, 400, 400, 40))).toEqual([['slower', 'a']])
  })

  it('names the step that took the time', () => {
    const step = (title: string, durationMilliseconds: number) => ({
      title,
      beganAt: 0,
      durationMilliseconds,
      verdict: 'passed' as const,
    })
    const of = (first: number, second: number) =>
      createResults({
        scenarios: [
          createScenarioResult({
            durationMilliseconds: first + second,
            steps: [step('first', first), step('second', second)],
          }),
        ],
      })
    expect(createDifference(of(500, 100), of(600, 2000)).changes).toMatchObject([
      { kind: 'slower', step: { title: 'second', milliseconds: 1900 } },
    ])
  })
})
