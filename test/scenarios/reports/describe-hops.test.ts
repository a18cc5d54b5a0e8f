import { describe, expect, it } from 'vitest'
import { describeHop, findFailedHop, groupHops } from '#scenarios/reports/describe-hops.ts'
import { createScenarioHop } from '#test/support/results.ts'

describe('describeHop', () => {
  it('takes a query apart, JSON in its members too', () => {
    const url = '/offer?credential_offer=%7B%22a%22%3A1%7D&state=x'
    expect(describeHop(createScenarioHop({ url }))).toMatchObject({
      label: 'POST /offer',
      request: { query: { credential_offer: { a: 1 }, state: 'x' } },
    })
  })

  it('takes a form’s JSON apart, and leaves that of other bodies as it was sent', () => {
    const requestBody = { presentation_submission: '{"id":"x"}' }
    const requestHeaders = { 'content-type': 'application/x-www-form-urlencoded' }
    expect(describeHop(createScenarioHop({ requestBody, requestHeaders })).request?.body).toEqual({
      presentation_submission: { id: 'x' },
    })
    expect(describeHop(createScenarioHop({ requestBody })).request?.body).toEqual(requestBody)
  })

  it('has no message where there is nothing to tell', () => {
    const hop = describeHop(createScenarioHop({ requestHeaders: {}, rules: [] }))
    expect(Object.keys(hop)).not.toEqual(expect.arrayContaining(['request']))
    expect(Object.keys(hop)).not.toEqual(expect.arrayContaining(['rules']))
  })
})

const poll = (status: string) => createScenarioHop({ url: `/requests?session=${status}` })

describe('groupHops', () => {
  it('draws a polling page together and counts on after it', () => {
    const hops = [createScenarioHop(), poll('a'), poll('b'), poll('c'), createScenarioHop()]
    expect(groupHops(hops).map(({ number, hops: { length } }) => [number, length])).toEqual([
      [1, 1],
      [2, 3],
      [5, 1],
    ])
  })

  it.each([
    ['status', { status: 400 }],
    ['caller', { from: 'browser' }],
    ['callee', { to: 'idp' }],
    ['method', { method: 'GET' }],
    ['path', { url: '/other' }],
    ['step', { step: 2 }],
  ])('keeps hops apart that differ in their %s', (_, difference) => {
    expect(groupHops([createScenarioHop(), createScenarioHop(difference)])).toHaveLength(2)
  })
})

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
