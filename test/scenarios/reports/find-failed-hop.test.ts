import { describe, expect, it } from 'vitest'
import { findFailedHop } from '#scenarios/reports/find-failed-hop.ts'
import { createScenarioHop } from '#test/support/create-scenario-result.ts'

const step = (verdict: 'passed' | 'failed') => ({
  title: 'x',
  beganAt: 0,
  durationMilliseconds: 1,
  verdict,
})
const hop = (number: number, requestId?: string) =>
  createScenarioHop({ step: number, ...(requestId && { requestId }) })

describe('findFailedHop', () => {
  it('is the last exchange that the scenario set off itself at the step that failed', () => {
    const hops = [hop(1, 'a'), hop(2, 'b'), hop(2, 'c'), hop(2, 'c'), hop(2, 'c')]
    const steps = [step('passed'), step('failed')]
    expect(findFailedHop({ verdict: 'failed', steps, hops })).toBe(2)
  })

  it('counts hops without a request id as the scenario’s own', () => {
    const hops = [hop(1), hop(1)]
    expect(findFailedHop({ verdict: 'failed', steps: [step('failed')], hops })).toBe(1)
  })

  it('is none where the step exchanged nothing, or nothing failed', () => {
    const steps = [step('passed'), step('failed')]
    expect(findFailedHop({ verdict: 'failed', steps, hops: [hop(1)] })).toBeUndefined()
    expect(findFailedHop({ verdict: 'passed', steps: [step('passed')], hops: [hop(1)] })).toBe(
      undefined,
    )
  })
})
