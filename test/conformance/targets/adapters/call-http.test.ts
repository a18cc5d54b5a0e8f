import { describe, expect, it } from 'vitest'
import { createExchangeLog } from '#conformance/kit/evidence/exchange-log.ts'
import { callVerb } from '#conformance/targets/adapters/call-verb.ts'
import type { PlaceholderValues } from '#conformance/targets/adapters/fill-placeholders.ts'
import type { HttpVerb } from '#conformance/targets/adapters/z-verb.ts'
import { type Answer, startAnsweringServer } from '#test/support/servers.ts'

async function call(
  answer: Answer,
  {
    path = '',
    values = {},
    ...verb
  }: Partial<HttpVerb> & { path?: string; values?: PlaceholderValues } = {},
) {
  const { url, requests } = await startAnsweringServer(() => answer)
  const exchanges = createExchangeLog()
  const result = await callVerb({ url: `${url}${path}`, ...verb }, 'present', values, {
    exchanges,
    signal: AbortSignal.timeout(10_000),
  })
  return { ...result, requests, hops: exchanges.take() }
}

describe('the HTTP status decides', () => {
  it.each([
    [200, 'done'],
    [204, 'done'],
    [302, 'failed'],
    [400, 'refused'],
    [409, 'refused'],
    [422, 'refused'],
    // They speak of the call: the address, the method, who asks.
    [401, 'failed'],
    [403, 'failed'],
    [404, 'failed'],
    [405, 'failed'],
    [415, 'failed'],
    // Overload, outage and time-out are no refusals.
    [429, 'overloaded'],
    [503, 'overloaded'],
    [408, 'timed-out'],
    [504, 'timed-out'],
    [500, 'failed'],
    [502, 'failed'],
  ])('%i is %s', async (status, outcome) => {
    expect((await call({ status })).outcome).toBe(outcome)
  })

  it('the target may say otherwise', async () => {
    const statuses = { done: [202], refused: [404] }
    expect((await call({ status: 202 }, { statuses })).outcome).toBe('done')
    expect((await call({ status: 200 }, { statuses })).outcome).toBe('failed')
    expect((await call({ status: 404 }, { statuses })).outcome).toBe('refused')
    expect((await call({ status: 400 }, { statuses })).outcome).toBe('failed')
  })

  it('no answer in time is no refusal', async () => {
    const { outcome, reason } = await call('hang', { timeoutSeconds: 0.2 })
    expect(outcome).toBe('timed-out')
    expect(reason).toBe('present had no answer within 0.2 seconds.')
  })

  it('nobody there is no refusal', async () => {
    const exchanges = createExchangeLog()
    const { outcome, source } = await callVerb(
      { url: 'http://127.0.0.1:9/x' },
      'present',
      {},
      {
        exchanges,
        signal: AbortSignal.timeout(10_000),
      },
    )
    expect({ outcome, source }).toEqual({ outcome: 'timed-out', source: 'HTTP status of present' })
    expect(exchanges.take()).toHaveLength(1)
  })

  it('says what the answer said', async () => {
    const { reason, json } = await call({ status: 422, body: { error: 'unknown_issuer' } })
    expect(reason).toBe('present was answered with HTTP 422: {"error":"unknown_issuer"}')
    expect(json).toEqual({ error: 'unknown_issuer' })
  })

  it('follows no redirect', async () => {
    const { requests } = await call({ status: 307, headers: { location: '/elsewhere' } })
    expect(requests.map(({ path }) => path)).toEqual(['/'])
  })
})

describe('what is sent', () => {
  it('values stay where they stand in an address', async () => {
    const link = 'openid4vp://?a=b&c=/../d#e'
    const { requests } = await call(
      { status: 200 },
      { path: '/x?link={link}&y=1', values: { link } },
    )
    const { method, path } = requests[0] ?? {}
    expect(method).toBe('GET')
    const { searchParams } = new URL(path ?? '', 'http://x')
    expect(Object.fromEntries(searchParams)).toEqual({ link, y: '1' })
  })

  it('JSON without the members that have no value', async () => {
    const { requests } = await call(
      { status: 200 },
      { json: { link: '{link}', pin: '{pin}', deep: ['{pin}', 1] }, values: { link: 'a"b' } },
    )
    expect(requests[0]).toMatchObject({
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: '{"link":"a\\"b","deep":[1]}',
    })
  })

  it('a form', async () => {
    const { requests } = await call(
      { status: 200 },
      { method: 'PUT', form: { link: '{link}', pin: '{pin}' }, values: { link: 'a&b' } },
    )
    expect(requests[0]).toMatchObject({ method: 'PUT', body: 'link=a%26b' })
  })

  it('a link that carries a placeholder is not filled in again', async () => {
    const { requests } = await call(
      { status: 200 },
      { json: { link: '{link}' }, values: { link: '{pin}', pin: '1234' } },
    )
    expect(requests[0]?.body).toBe('{"link":"{pin}"}')
  })
})
