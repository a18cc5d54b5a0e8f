import { gunzipSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { packRun } from '#scenarios/reports/pack-run.ts'
import { createScenarioHop, createScenarioResult } from '#test/support/create-scenario-result.ts'

const unpack = (text: string) => JSON.parse(gunzipSync(Buffer.from(text, 'base64')).toString())
const body = { claims: 'the same for all' }
const scenario = (name: string, own: string) =>
  createScenarioResult({
    name,
    hops: [
      createScenarioHop({ responseBody: body }),
      createScenarioHop({ responseBody: body }),
      createScenarioHop({ status: 404, requestBody: { own } }),
    ],
  })

describe('packRun', () => {
  it('keeps what scenarios share once, and what is their own with them', () => {
    const { shared, scenarios } = packRun([scenario('one', 'a'), scenario('other', 'b')])
    expect(Object.values(unpack(shared))).toEqual([{ body }])
    const [one, other] = scenarios.map(unpack)
    expect(Object.values(one.values)).toEqual([{ body: { own: 'a' } }])
    expect(Object.values(other.values)).toEqual([{ body: { own: 'b' } }])
    expect(one.head.groups).toEqual([2, 1])
    expect(unpack(shared)[one.head.hops[0].response]).toEqual({ body })
    expect(one.head.hops[1].response).toBe(one.head.hops[0].response)
  })

  it('takes rules along, and leaves out what a report does not show', () => {
    const rules = [{ rule: 'vp.nonce', passed: false, reasons: ['another one'] }]
    const hop = createScenarioHop({ rules, requestId: 'request-id', scenarioId: 'scenario-id' })
    const [packed = ''] = packRun([createScenarioResult({ hops: [hop] })]).scenarios
    const { head, values } = unpack(packed)
    expect(values[head.hops[0].rules]).toEqual(rules)
    expect(JSON.stringify(head)).not.toMatch(/request-id|scenario-id/)
  })

  it('has nothing for a scenario without hops', () => {
    expect(packRun([createScenarioResult()]).scenarios).toEqual([''])
  })
})
