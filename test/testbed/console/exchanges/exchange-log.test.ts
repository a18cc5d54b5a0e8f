import { describe, expect, it } from 'vitest'
import type { Hop } from '#kit/traces.ts'
import { createExchangeLog } from '#testbed/console/exchanges/exchange-log.ts'
import { createHar, createMermaid } from '#testbed/console/exchanges/export-exchanges.ts'
import { createHop } from './create-hop.ts'

/** The rows of a diagram, from top to bottom, each with its number of exchanges. */
function rowsOf(hops: readonly Hop[]) {
  const log = createExchangeLog({ since: (id) => hops.filter((hop) => hop.id > id) })
  log.catchUp()
  const rows: { id: number; label: string; count: number }[] = []
  for (const { line } of log.since(0)) {
    const known = rows.find(({ id }) => id === line.row)
    if (known) known.count += 1
    else {
      const row = { id: line.id, label: line.label, count: 1 }
      const before = rows.findIndex(({ id }) => id === line.before)
      rows.splice(before === -1 ? rows.length : before, 0, row)
    }
  }
  return rows.map(({ label, count }) => [label, count])
}

const poll = (overrides: Partial<Hop> = {}) =>
  createHop({
    from: 'browser',
    to: 'idp',
    url: '/idp/api/auth/requests?session=ZcCWdTjNOhGGq8d6',
    responseBody: { status: 'PENDING' },
    ...overrides,
  })

describe('the environment of an exchange', () => {
  it('is that of the part which recorded it, and of the request for an email', () => {
    const hops = [
      createHop({ environment: 'pro', requestId: 'of-pro' }),
      createHop({ to: 'mail', kind: 'mail', requestId: 'of-pro' }),
      createHop({ to: 'mail', kind: 'mail', requestId: 'unknown' }),
      createHop({ to: 'mail', kind: 'mail' }),
    ]
    const log = createExchangeLog({ since: (id) => hops.filter((hop) => hop.id > id) })
    log.catchUp()
    const environments = log.since(0).map(({ line }) => line.environment)
    expect(environments).toEqual(['pro', 'pro', undefined, undefined])
  })
})

describe('the rows of the live diagram', () => {
  it('have an exchange above those that it caused, which end earlier', () => {
    const at = Date.UTC(2026, 10, 21)
    const hops = [
      createHop({ url: '/first', requestId: 'other', at }),
      createHop({ from: 'tir', to: 'chain', url: '/c', requestId: 'one', at: at + 3 }),
      createHop({ from: 'verifier', to: 'tir', url: '/b', requestId: 'one', at: at + 2 }),
      createHop({ to: 'verifier', url: '/a', requestId: 'one', at: at + 1 }),
    ]
    expect(rowsOf(hops).map(([label]) => label)).toEqual([
      'GET /first',
      'GET /a',
      'GET /b',
      'GET /c',
    ])
  })

  it('fold a poll with other exchanges in between, until its answer changes', () => {
    const between = createHop({ url: '/?session=ZcCWdTjNOhGGq8d6' })
    const done = poll({ responseBody: { status: 'SUCCESS' } })
    const label = 'GET /idp/api/auth/requests'
    // An answer that follows directly is one more of the row, as in a report.
    expect(rowsOf([poll(), poll(), between, poll(), createHop({ url: '/x' }), done])).toEqual([
      [label, 3],
      ['GET /', 1],
      ['GET /x', 1],
      [label, 1],
    ])
  })

  it('do not fold a poll of another session, or after a pause', () => {
    const first = poll()
    const other = poll({ url: '/idp/api/auth/requests?session=BBBB2222BBBB2222' })
    expect(rowsOf([first, other])).toHaveLength(2)
    const late = poll({ at: first.at + 60_000 })
    expect(rowsOf([first, createHop({ url: '/x' }), late])).toHaveLength(3)
  })

  it('say how many rules were evaluated and broken', () => {
    const rules = [true, false, true].map((passed, index) => ({ rule: `r.${index}`, passed }))
    const hop = createHop({ rules })
    const log = createExchangeLog({ since: () => [hop] })
    log.catchUp()
    expect(log.since(0)[0]?.line).toMatchObject({ rules: 3, broken: 1 })
  })

  it('are the last 5000, as the recorder keeps no more', () => {
    const hops = Array.from({ length: 5002 }, (_, index) => createHop({ url: `/${index}` }))
    const log = createExchangeLog({ since: (id) => hops.filter((hop) => hop.id > id) })
    log.catchUp()
    expect(log.since(0)).toHaveLength(5000)
    const [first, last] = [hops[0], hops.at(-1)].map((hop) => log.hopOf(hop?.id ?? 0))
    expect([first, last?.url]).toEqual([undefined, '/5001'])
  })
})

const call = createHop({
  method: 'POST',
  url: '/token?a=1',
  requestHeaders: { 'content-type': 'application/x-www-form-urlencoded' },
  requestBody: { 'pre-authorized_code': 'R6a_xfOZ…' },
  responseHeaders: { 'content-type': 'application/json', location: '/next' },
  responseBody: { c_nonce: 'n' },
})

it('writes exchanges as HTTP Archive 1.2', () => {
  const { log } = JSON.parse(
    createHar([call, createHop({ kind: 'chain', to: 'chain', url: 'eth_call' })]),
  )
  expect(log.version).toBe('1.2')
  expect(log.entries[0]).toMatchObject({
    startedDateTime: new Date(call.at).toISOString(),
    time: 12.5,
    request: {
      method: 'POST',
      url: 'http://connector/token?a=1',
      queryString: [{ name: 'a', value: '1' }],
      postData: { text: '{"pre-authorized_code":"R6a_xfOZ…"}' },
    },
    response: { status: 200, redirectURL: '/next', content: { text: '{"c_nonce":"n"}' } },
  })
  expect(log.entries[1]).toMatchObject({ comment: 'wallet to chain: eth_call' })
})

it('writes exchanges as a Mermaid diagram, in which foreign text cannot add lines', () => {
  const hostile = createHop({
    from: 'token-issuer',
    url: '/x;participant evil%0Aevil->>wallet: hi#35;',
    rules: [{ rule: 'credential.status', passed: false }],
  })
  const names: Readonly<Record<string, string>> = { wallet: 'Cartera' }
  expect(createMermaid([call, hostile], (part) => names[part] ?? part).split('\n')).toEqual([
    'sequenceDiagram',
    '  participant wallet as Cartera',
    '  participant connector as connector',
    '  participant token_issuer as token-issuer',
    '  wallet->>connector: POST /token 200',
    '  token_issuer-xconnector: GET /x#59;participant evil#10;evil->>wallet: hi#35;35#59; 200 ✗ credential.status',
    '',
  ])
})
