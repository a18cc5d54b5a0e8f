import { describe, expect, it } from 'vitest'
import { describeHop } from '#scenarios/reports/describe-hop.ts'
import { createScenarioHop } from '#test/support/create-scenario-result.ts'

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
