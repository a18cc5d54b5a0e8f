import { describe, expect, it } from 'vitest'
import { createDifference } from '#scenarios/reports/create-difference.ts'
import { createSummary } from '#scenarios/reports/create-summary.ts'
import { createResults, createScenarioResult } from '#test/support/results.ts'

describe('createSummary', () => {
  it('counts, and lists every scenario in a row of its own', () => {
    const scenarios = [
      createScenarioResult(),
      createScenarioResult({ algorithm: 'EdDSA', verdict: 'not-run', durationMilliseconds: 0 }),
    ]
    const summary = createSummary(createResults({ scenarios }))
    expect(summary.split('\n')[0]).toBe('# ✅ Scenarios: 1 passed, 0 failed, 1 skipped')
    expect(summary).toContain(
      '| ✅ | issuance/representative | ES256K | A representative collects a credential | 250 ms |',
    )
    expect(summary).not.toContain('## Failures')
  })

  it('explains failures, whatever characters they hold', () => {
    const failed = createScenarioResult({
      verdict: 'failed',
      title: 'A | pipe <b>',
      failure: { code: 'x', message: 'a ```` fence', step: 'one *step*' },
    })
    const summary = createSummary(createResults({ scenarios: [failed] }))
    expect(summary).toContain('❌ Scenarios: 0 passed, 1 failed, 0 skipped')
    expect(summary).toContain('At the step **one \\*step\\***:')
    expect(summary).toContain('`````text\na ```` fence\n`````')
    expect(summary).toContain("`testbed run '^issuance/representative/ES256K$'`")
    expect(summary).toContain('| A \\| pipe \\<b\\> |')
  })

  it('says that a run was interrupted, and what it warns of', () => {
    const summary = createSummary(createResults({ interrupted: true, warnings: ['no hops'] }))
    expect(summary).toContain(', interrupted.')
    expect(summary).toContain('no hops')
  })
})

describe('a summary with a limit', () => {
  const scenarios = Array.from({ length: 400 }, (_, number) =>
    createScenarioResult({
      name: `scenario-${number}`,
      ...(number < 100 && {
        verdict: 'failed' as const,
        failure: { code: 'x', message: `é${'x'.repeat(500)}` },
      }),
    }),
  )
  const results = createResults({ scenarios })

  it.each([2000, 20_000, 70_000])('has at most %i bytes and says what is missing', (limit) => {
    const summary = createSummary(results, { limit })
    expect(Buffer.byteLength(summary)).toBeLessThanOrEqual(limit)
    expect(summary).toContain('This is not all')
    expect(summary).toMatch(/^# ❌ Scenarios: 300 passed, 100 failed/)
    // Cut between blocks: each fence that is opened is closed.
    expect((summary.match(/^```/gm) ?? []).length % 2).toBe(0)
  })

  it('is nothing where there is no room to say even that', () => {
    expect(createSummary(results, { limit: 20 })).toBe('')
    expect(createSummary(results, { limit: -1 })).toBe('')
  })

  it('is whole where there is room', () => {
    const whole = createSummary(results)
    expect(createSummary(results, { limit: Buffer.byteLength(whole) })).toBe(whole)
    expect(whole).not.toContain('This is not all')
    expect(whole).toContain('scenario-399')
  })
})

describe('a summary with an earlier run', () => {
  it('tells what changed, the urgent first', () => {
    const before = createResults({ startedAt: '2026-11-20T10:00:00.000Z' })
    const failed = createScenarioResult({
      verdict: 'failed',
      title: 'A | pipe',
      failure: { code: 'x', message: 'y' },
    })
    const after = createResults({ scenarios: [failed] })
    const summary = createSummary(after, { difference: createDifference(before, after) })
    expect(summary).toContain('## Since the run of 2026-11-20T10:00:00.000Z: 1 newly failing')
    expect(summary).toContain('- issuance/representative/ES256K: A \\| pipe')
  })
})
