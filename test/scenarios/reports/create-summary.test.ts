import { describe, expect, it } from 'vitest'
import { createSummary } from '#scenarios/reports/create-summary.ts'
import { createResults } from '#test/support/create-results.ts'
import { createScenarioResult } from '#test/support/create-scenario-result.ts'

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
