import { describe, expect, it } from 'vitest'
import { createJunit } from '#scenarios/reports/create-junit.ts'
import { createSummary } from '#scenarios/reports/create-summary.ts'
import { listRefusals } from '#scenarios/reports/list-refusals.ts'
import { createResults } from '#test/support/create-results.ts'
import { createScenarioHop, createScenarioResult } from '#test/support/create-scenario-result.ts'

const step = (title: string, verdict: 'passed' | 'failed') => ({
  title,
  beganAt: 0,
  durationMilliseconds: 10,
  verdict,
})
const broken = (rule: string, reasons: string[]) => ({ rule, passed: false, reasons })

const failed = createScenarioResult({
  verdict: 'failed',
  steps: [step('A bad one is refused', 'passed'), step('A good one logs in', 'failed')],
  failure: {
    code: 'expectation_failed',
    message: 'It ended as FAILED',
    step: 'A good one logs in',
  },
  hops: [
    createScenarioHop({ to: 'verifier', rules: [broken('presentation.expiry', ['it expired'])] }),
    createScenarioHop({
      step: 2,
      to: 'verifier',
      rules: [{ rule: 'trust.root', passed: true }, broken('credential.status', ['a | b', 'c'])],
    }),
  ],
})

describe('what was refused', () => {
  it('is told of the step that failed alone, with rule and reasons', () => {
    expect(listRefusals(failed)).toEqual(['verifier refused wallet: credential.status, a | b, c'])
  })

  it('is nothing where no step failed', () => {
    const steps = failed.steps.map((each) => ({ ...each, verdict: 'passed' as const }))
    expect(listRefusals({ ...failed, steps })).toEqual([])
  })

  it('is in the summary and in the text of the case', () => {
    const results = createResults({ scenarios: [failed] })
    expect(createSummary(results).split('\n')).toContain(
      'Refused: verifier refused wallet: credential.status, a \\| b, c',
    )
    expect(createJunit(results).split('\n')).toContain(
      'Refused: verifier refused wallet: credential.status, a | b, c',
    )
  })
})
