import { gunzipSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import {
  createValueTable,
  decodeToken,
  packRun,
  replaceTokens,
} from '#scenarios/reports/pack-run.ts'
import { createScenarioHop, createScenarioResult } from '#test/support/results.ts'
import { linearGrowth, measureGrowth } from '#test/support/timing.ts'

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

const encode = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url')
const tokenOf = (payload: object) => `${encode({ alg: 'ES256K' })}.${encode(payload)}`

describe('createValueTable', () => {
  it('keeps equal values once', () => {
    const table = createValueTable()
    const first = table.add({ body: { a: 1 } })
    expect(table.add({ body: { a: 2 } })).not.toBe(first)
    expect(table.add({ body: { a: 1 } })).toBe(first)
    expect(JSON.parse(table.jsonOf(first))).toEqual({ body: { a: 1 } })
  })

  it('decodes a token once, however often and with whatever signature it stands there', () => {
    const table = createValueTable()
    const token = tokenOf({ iss: 'joe' })
    const one = table.add({ credential: `${token}.…` })
    const other = table.add([`openid4vp://?request=${token}.signature`, `${token}.…`])
    const reached = table.reach([one, other])
    expect(reached.size).toBe(3)
    const [decoded] = [...reached].filter((number) => number !== one && number !== other)
    expect(JSON.parse(table.jsonOf(decoded ?? -1))).toEqual({
      header: { alg: 'ES256K' },
      payload: { iss: 'joe' },
    })
    expect(table.jsonOf(one)).not.toContain('eyJ')
    expect(table.jsonOf(other)).toContain('openid4vp://?request=')
  })

  it('reaches a token within a token', () => {
    const table = createValueTable()
    const inner = tokenOf({ sub: 'inner' })
    const number = table.add({ vp_token: tokenOf({ vp: { verifiableCredential: [inner] } }) })
    const texts = [...table.reach([number])].map((each) => table.jsonOf(each))
    expect(texts).toHaveLength(3)
    expect(texts.some((text) => text.includes('"sub":"inner"'))).toBe(true)
  })

  it('takes no reference from a message: it would show another one’s token', () => {
    const table = createValueTable()
    table.add({ credential: tokenOf({ secret: 'x' }) })
    const forged = table.add({ '\uE0000\uE001': ['\uE0000\uE001'] })
    expect(table.reach([forged]).size).toBe(1)
    expect(table.jsonOf(forged)).toBe('{"\uFFFD0\uFFFD":["\uFFFD0\uFFFD"]}')
  })

  it('stands nesting without end', () => {
    const deep = JSON.parse(`${'['.repeat(5000)}${']'.repeat(5000)}`)
    expect(createValueTable().add(deep)).toBe(0)
  })
})

// RFC 7515, appendix A.1: header and payload of the first example.
const rfc7515 =
  'eyJ0eXAiOiJKV1QiLA0KICJhbGciOiJIUzI1NiJ9.eyJpc3MiOiJqb2UiLA0KICJleHAiOjEzMDA4MTkzODAsDQogImh0dHA6Ly9leGFtcGxlLmNvbS9pc19yb290Ijp0cnVlfQ'

describe('decodeToken', () => {
  it.each([
    ['with its signature', `${rfc7515}.dBjftJeZ4CVP`],
    ['whose signature was cut', `${rfc7515}.…`],
    ['without one', rfc7515],
  ])('decodes a token %s', (_, token) => {
    expect(decodeToken(token)).toEqual({
      header: { typ: 'JWT', alg: 'HS256' },
      payload: { iss: 'joe', exp: 1300819380, 'http://example.com/is_root': true },
    })
  })

  it.each(['eyJub.eyJub', 'eyJ.x', 'eyJhIjoxfQ.WzFd', ''])('passes over %j', (text) => {
    expect(decodeToken(text)).toBeUndefined()
  })
})

describe('replaceTokens', () => {
  it('replaces each token in a text, with its signature, and nothing else', () => {
    const text = `openid4vp://?request=${rfc7515}.sig and ${rfc7515}.… eyJ`
    expect(replaceTokens(text, () => 'T')).toBe('openid4vp://?request=T and T eyJ')
  })

  it('takes linear time for what only looks like tokens', () => {
    const create = (size: number) => 'eyJ-'.repeat(size / 4)
    const growth = measureGrowth(create, (text) => replaceTokens(text, () => undefined))
    expect(growth).toBeLessThan(linearGrowth)
  })

  it('leaves what there is nothing for', () => {
    expect(replaceTokens(`x ${rfc7515}`, () => undefined)).toBe(`x ${rfc7515}`)
  })
})
