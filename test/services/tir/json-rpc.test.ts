import { describe, expect, it } from 'vitest'
import { callRpc, startRegistryChain } from '#test/support/chain.ts'
import { createDidKey } from '#test/support/create-did-key.ts'
import { callJson, send } from '#test/support/http.ts'
import {
  apiKeysOperatorKey,
  otherApiKey,
  type RpcAnswer,
  startTir,
  tirApiKey,
} from '#test/support/registries.ts'
import { startAnsweringServer } from '#test/support/servers.ts'
import { createTestRuntime } from '#test/support/services.ts'

const key = createDidKey('subject')
const tao = createDidKey('tao')
const attributeId = `0x${'ab'.repeat(32)}`
const metadata = {
  from: key.address,
  did: key.did,
  revisionId: attributeId,
  issuerType: 'TI',
  taoDid: tao.did,
  attributeIdTao: `0x${'cd'.repeat(32)}`,
}
const data = { from: key.address, did: key.did, attributeId, attributeData: '0x616263' }
const ping = (id: unknown) => ({ jsonrpc: '2.0', id, method: 'setAttributeData', params: [data] })

const chain = await startRegistryChain()
const tir = await startTir(chain)

const codeOf = async (message: unknown) => (await tir.post(message)).body.error?.code

describe('a request', () => {
  it.each([1, 0, -1, 1.5, 'text', '', null])(
    'with id %o is answered with the same id',
    async (id) => {
      const { status, body } = await tir.post(ping(id))
      expect([status, body.jsonrpc, body.id]).toEqual([200, '2.0', id])
      expect(body).toHaveProperty('result')
      expect(body).not.toHaveProperty('error')
    },
  )

  // @row 2.errors/tir.1
  it.each([
    ['an empty body', ''],
    ['a body that is not JSON', 'x'],
  ])('with %s is a parse error, even without a key', async (_name, text) => {
    for (const headers of [undefined, {}]) {
      const { body } = await tir.post(text, headers)
      expect(body).toEqual({
        jsonrpc: '2.0',
        id: null,
        error: { code: -32700, message: expect.any(String) },
      })
    }
  })

  // @row 2.errors/tir.1
  it('with an empty body in chunks is a parse error', async () => {
    const answer = await fetch(`${tir.baseUrl}/v1/jsonrpc`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-api-key': tirApiKey },
      body: new Blob([]).stream(),
      duplex: 'half',
    })
    expect(await answer.json()).toMatchObject({ id: null, error: { code: -32700 } })
  })

  it.each([
    ['', /empty/],
    ['{"jsonrpc":"2.0","method":"x","id":1,"id":2}', /twice/],
  ])('that cannot be read gets the reason: %s', async (text, reason) => {
    const { status, body } = await tir.post(text)
    expect([status, body.error]).toEqual([
      400,
      { code: -32700, message: expect.stringMatching(reason) },
    ])
  })

  // @row 2.errors/tir.2
  it.each([
    ['null', null],
    ['1', null],
    ['{}', null],
    ['{"__proto__":{"jsonrpc":"2.0","method":"x","id":1}}', null],
    [JSON.stringify({ ...ping(7), jsonrpc: 2.0 }), 7],
    [JSON.stringify({ ...ping(7), method: null }), 7],
    [JSON.stringify({ ...ping(7), params: 'bar' }), 7],
    [JSON.stringify({ ...ping(7), params: null }), 7],
    [JSON.stringify(ping({ a: 1 })), null],
    [JSON.stringify(ping([1])), null],
    [JSON.stringify(ping(true)), null],
  ])('that is not valid is an invalid request: %s', async (text, id) => {
    const { status, body } = await tir.post(text)
    expect([status, body]).toEqual([
      200,
      { jsonrpc: '2.0', id, error: { code: -32600, message: expect.any(String) } },
    ])
  })

  // @row 2.errors/tir.4
  it.each([
    ['nothing', undefined],
    ['an object', data],
    ['an empty array', []],
    ['two objects', [data, data]],
    ['a string', ['x']],
    ['null', [null]],
    ['a list', [[data]]],
  ])('with %s as params has invalid params', async (_name, params) => {
    expect(await codeOf({ ...ping(1), params })).toBe(-32602)
  })
})

describe('a batch', () => {
  it('is answered member by member', async () => {
    const { status, body } = await tir.post<RpcAnswer[]>([
      ping('1'),
      { jsonrpc: '2.0', method: 'setAttributeData', params: [data] },
      { foo: 'boo' },
      { jsonrpc: '2.0', method: 'foo.get', params: { name: 'myself' }, id: '5' },
      1,
      ping(9),
    ])
    expect(status).toBe(200)
    expect(body.map(({ id, error }) => [id, error?.code])).toEqual([
      ['1', undefined],
      [null, -32600],
      ['5', -32601],
      [null, -32600],
      [9, undefined],
    ])
  })

  it('that is empty or too large is a single invalid request', async () => {
    for (const batch of [[], Array.from({ length: 101 }, () => 1)]) {
      const { body } = await tir.post(batch)
      expect(body).toMatchObject({ id: null, error: { code: -32600 } })
    }
  })
})

// @row 2.authentication.2 2.errors/tir.2
describe('the API key', () => {
  it.each([
    ['missing', {}],
    ['empty', { 'x-api-key': '' }],
    ['wrong', { 'x-api-key': 'wrong-key-of-the-tests-0123456789' }],
    ['of another scope', { 'x-api-key': otherApiKey }],
    ['too long', { 'x-api-key': 'k'.repeat(4000) }],
  ])('that is %s is answered 401 with -32600', async (_name, headers) => {
    const { status, body } = await tir.post(ping('mine'), headers as Record<string, string>)
    expect([status, body]).toEqual([
      401,
      { jsonrpc: '2.0', id: 'mine', error: { code: -32600, message: expect.any(String) } },
    ])
    const batch = await tir.post([ping(1)], headers as Record<string, string>)
    expect([batch.status, batch.body.id]).toEqual([401, null])
  })

  it('is valid from its creation to its revocation', async () => {
    const manage = async (method: string, path: string, body?: object) => {
      const headers = { 'x-api-key': apiKeysOperatorKey }
      const url = `${tir.apiKeysUrl}/api-keys${path}`
      return (await callJson(url, { method, headers, json: body })).body
    }
    const { id, key } = await manage('POST', '', { name: 'somebody', scope: 'tir' })
    const elsewhere = await manage('POST', '', { name: 'somebody', scope: 'issuer' })
    const statusWith = async (key: string) => (await tir.post(ping(1), { 'x-api-key': key })).status
    expect([await statusWith(key), await statusWith(elsewhere.key)]).toEqual([200, 401])
    await manage('DELETE', `/${id}`)
    expect(await statusWith(key)).toBe(401)
    expect((await tir.post(ping(1))).status).toBe(200)
  })

  it.each([
    ['another status', 500, '{"active":true}'],
    ['text', 200, 'yes'],
    ['no verdict', 200, '{}'],
    ['a verdict of another type', 200, '{"active":"true"}'],
    ['a redirect', 302, '{"active":true}'],
  ])('is not valid if the API key service answers %s', async (_name, status, body) => {
    const { url } = await startAnsweringServer(() => ({
      status,
      headers: { 'content-type': 'application/json', location: '/' },
      body,
    }))
    const stranded = await startTir(chain, { config: { apiKeysUrl: url } })
    expect(await stranded.post(ping('x'))).toEqual({
      status: 200,
      body: { jsonrpc: '2.0', id: 'x', error: { code: -32603, message: expect.any(String) } },
    })
  })

  it('is not valid without the API key service', async () => {
    const runtime = createTestRuntime()
    runtime.activeFaults.add('api-keys-down')
    const stranded = await startTir(chain, { runtime })
    const { body } = await stranded.post(ping('x'))
    expect(body).toEqual({
      jsonrpc: '2.0',
      id: 'x',
      error: { code: -32603, message: expect.any(String) },
    })
    runtime.activeFaults.clear()
    expect((await stranded.post(ping('x'))).body).toHaveProperty('result')
  })
})

describe('the HTTP request', () => {
  it('is JSON', async () => {
    const { status, body } = await tir.post(ping(1), { 'content-type': 'text/plain' })
    expect([status, body.error?.code]).toEqual([415, -32600])
  })

  it('is a POST of at most 1 MiB', async () => {
    const { status, body } = await tir.post({ ...ping(1), padding: 'x'.repeat(2 * 1024 * 1024) })
    expect([status, body.error?.code]).toEqual([413, -32600])
    expect((await fetch(`${tir.baseUrl}/v1/jsonrpc`)).status).toBe(405)
  })
})

// @row 2.resources-and-their-fields/types-used-in-the-tir.1..4 2.endpoints/tir.10..11 2.errors/tir.4 2.limits.5
describe('invalid params', () => {
  const invalid = async (method: string, params: object) => {
    const answer = await tir.call(method, params)
    expect(answer).toEqual({
      jsonrpc: '2.0',
      id: 1,
      error: { code: -32602, message: expect.any(String) },
    })
  }

  it('are named', async () => {
    const { issuerType, ...rest } = metadata
    const answer = await tir.call('setAttributeMetadata', { ...rest, from: 1 })
    const { message } = (answer as { error: { message: string } }).error
    expect(message).toContain('issuerType is required')
    expect(message).toContain('from: ')
  })

  it.each([
    ['a DID of another method', { did: 'did:web:x' }],
    ['a DID with a fragment', { did: `${key.did}#a` }],
  ])('of setAttributeMetadata with %s', async (_name, change) => {
    await invalid('setAttributeMetadata', { ...metadata, ...change })
  })

  it.each([
    ['no data', { attributeData: '0x' }],
    ['half a byte', { attributeData: '0x616' }],
    ['bytes that are not UTF-8', { attributeData: '0xff41' }],
  ])('of setAttributeData with %s', async (_name, change) => {
    await invalid('setAttributeData', { ...data, ...change })
  })
})

describe('the service itself', () => {
  // @row 2.endpoints/tir.3..5 2.authentication.3 2.what-the-service-does.4
  it('has health, metrics and documentation without a key', async () => {
    expect(await tir.get('/health')).toEqual({
      status: 200,
      body: { status: 'ok', uptime: expect.any(Number) },
    })
    const metrics = await fetch(`${tir.baseUrl}/metrics`)
    expect([metrics.status, await metrics.text()]).toEqual([
      200,
      expect.stringContaining('tir_http_requests_total'),
    ])
    expect((await fetch(`${tir.baseUrl}/api-docs`)).status).toBe(200)
    const { body } = await tir.get<{ paths: object }>('/api-docs/openapi.json')
    expect(Object.keys(body.paths)).toEqual([
      '/trusted-issuers-registry/v1/jsonrpc',
      '/trusted-issuers-registry/v1/issuers/{did}/attributes/{attributeId}',
      '/trusted-issuers-registry/v1/explorer/issuers',
      '/trusted-issuers-registry/v1/explorer/issuers/{did}/attributes/{attributeId}/events',
    ])
  })

  // @row 2.errors/tir.5
  it('answers -32603 without the chain, and its health says so', async () => {
    const runtime = createTestRuntime()
    const stranded = await startTir(chain, { runtime })
    runtime.activeFaults.add('chain-down')
    const { status, body } = await stranded.post(ping(1))
    expect([status, body.error]).toEqual([
      200,
      { code: -32603, message: expect.stringContaining('Try again later') },
    ])
    expect(await stranded.get('/health')).toMatchObject({
      status: 503,
      body: { status: 'error', uptime: expect.any(Number), chain: 'disconnected' },
    })
    runtime.activeFaults.delete('chain-down')
    expect((await stranded.get('/health')).status).toBe(200)
  })
})

/**
 * Every example of JSON-RPC 2.0, section 7, in its order and with its ids. Methods of the TIR, which
 * accept params by position (profile/tir, Endpoints), replace `subtract` and `sum`.
 */
const subtract = `"method": "setAttributeData", "params": [${JSON.stringify(data)}]`
const sum = `"method": "setAttributeMetadata", "params": [${JSON.stringify(metadata)}]`

/** The raw body of a response. */
async function exchange(text: string): Promise<{ status: number; type: unknown; body: string }> {
  const answer = await send(`${tir.baseUrl}/v1/jsonrpc`, {
    headers: { 'x-api-key': tirApiKey },
    body: text,
  })
  const type = answer.headers.get('content-type')?.split(';')[0]
  return { status: answer.status, type, body: await answer.text() }
}

const success = (id: unknown) => ({
  jsonrpc: '2.0',
  result: expect.objectContaining({ to: chain.tir.address, from: key.address }),
  id,
})
const failure = (code: number, id: unknown) => ({
  jsonrpc: '2.0',
  error: { code, message: expect.any(String) },
  id,
})

async function answers(text: string, expected: () => unknown) {
  const { status, type, body } = await exchange(text)
  expect([status, type]).toEqual([200, 'application/json'])
  // Exactly these members: a result excludes an error and vice versa.
  expect(JSON.parse(body)).toStrictEqual(expected())
}

// @row 2.endpoints/tir.1 2.endpoints/tir.6..8 2.versioning.2
describe('the examples of JSON-RPC 2.0, section 7', () => {
  it.each([
    [`{"jsonrpc": "2.0", ${subtract}, "id": 1}`, 1],
    [`{"jsonrpc": "2.0", ${sum}, "id": 2}`, 2],
  ])('rpc call with positional parameters', async (text, id) => {
    await answers(text, () => success(id))
  })

  it.each([
    [3, JSON.stringify(data)],
    [4, JSON.stringify(Object.fromEntries(Object.entries(data).reverse()))],
  ])('rpc call with named parameters, which no method here accepts', async (id, params) => {
    const text = `{"jsonrpc": "2.0", "method": "setAttributeData", "params": ${params}, "id": ${id}}`
    await answers(text, () => failure(-32602, id))
  })

  it.each([
    `{"jsonrpc": "2.0", ${subtract}}`,
    '{"jsonrpc": "2.0", "method": "update", "params": [1,2,3,4,5]}',
    '{"jsonrpc": "2.0", "method": "foobar"}',
  ])('a notification', async (text) => {
    expect(await exchange(text)).toEqual({ status: 204, type: undefined, body: '' })
  })

  // @row 2.errors/tir.1..3
  it.each([
    [
      'of non-existent method',
      '{"jsonrpc": "2.0", "method": "foobar", "id": "1"}',
      failure(-32601, '1'),
    ],
    [
      'with invalid Request object',
      '{"jsonrpc": "2.0", "method": 1, "params": "bar"}',
      failure(-32600, null),
    ],
    ['with an empty Array', '[]', failure(-32600, null)],
    ['with an invalid Batch (but not empty)', '[1]', [failure(-32600, null)]],
    ['with invalid Batch', '[1,2,3]', [1, 2, 3].map(() => failure(-32600, null))],
  ])('rpc call %s', async (_name, text, expected) => {
    await answers(text, () => expected)
  })

  it.each([
    ['with invalid JSON', '{"jsonrpc": "2.0", "method": "foobar, "params": "bar", "baz]'],
    [
      'Batch, invalid JSON',
      '[{"jsonrpc": "2.0", "method": "sum", "params": [1,2,4], "id": "1"}, {"jsonrpc": "2.0", "method" ]',
    ],
  ])('rpc call %s', async (_name, text) => {
    const { status, body } = await exchange(text)
    expect([status, JSON.parse(body)]).toEqual([400, failure(-32700, null)])
  })

  it('rpc call Batch', async () => {
    const text = `[
      {"jsonrpc": "2.0", ${sum}, "id": "1"},
      {"jsonrpc": "2.0", ${subtract}},
      {"jsonrpc": "2.0", ${subtract}, "id": "2"},
      {"foo": "boo"},
      {"jsonrpc": "2.0", "method": "foo.get", "params": {"name": "myself"}, "id": "5"},
      {"jsonrpc": "2.0", ${sum}, "id": "9"}
    ]`
    await answers(text, () => [
      success('1'),
      success('2'),
      failure(-32600, null),
      failure(-32601, '5'),
      success('9'),
    ])
  })

  it('rpc call Batch (all notifications)', async () => {
    const text = `[
      {"jsonrpc": "2.0", ${sum}},
      {"jsonrpc": "2.0", "method": "notify_hello", "params": [7]}
    ]`
    expect(await exchange(text)).toEqual({ status: 204, type: undefined, body: '' })
  })
})

describe('the sections before it', () => {
  it.each([
    '12345678901234567890',
    '-9223372036854775808',
    '0.1000000000000000055511151231257827',
    '1.0',
    '-0',
    '1e400',
    '"1"',
    '""',
    '"\\u0000\\ud83d\\ude00"',
    'null',
  ])('the id %s is returned unchanged', async (id) => {
    const { body } = await exchange(`{"jsonrpc":"2.0","method":"foobar","id":${id}}`)
    const found = /"id":("(?:[^"\\]|\\.)*"|[^,}]+)/.exec(body)?.[1] ?? ''
    const isText = id.startsWith('"')
    expect(isText ? JSON.parse(found) : found).toBe(isText ? JSON.parse(id) : id)
  })

  it('a notification with wrong params is not answered (4.1)', async () => {
    for (const params of ['[]', '{}', '[{"from":1}]']) {
      const text = `{"jsonrpc":"2.0","method":"setAttributeData","params":${params}}`
      expect((await exchange(text)).body).toBe('')
    }
  })

  it('a notification is carried out (4.1)', async () => {
    const unsigned = await tir.build('setAttributeData', data)
    const params = await tir.sign(key, unsigned)
    const count = async () =>
      (await callRpc(chain.rpcUrl, 'eth_getTransactionCount', key.address, 'pending')).result
    expect(await count()).toBe('0x0')
    const message = { jsonrpc: '2.0', method: 'sendSignedTransaction', params: [params] }
    expect((await exchange(JSON.stringify(message))).status).toBe(204)
    expect(await count()).toBe('0x1')
  })

  it('method names that begin with rpc. are not found (4)', async () => {
    await answers('{"jsonrpc":"2.0","method":"rpc.discover","id":1}', () => failure(-32601, 1))
  })

  it('requests of a batch with one id are each answered (6)', async () => {
    const one = `{"jsonrpc":"2.0",${sum},"id":1}`
    await answers(`[${one},${one}]`, () => [success(1), success(1)])
  })

  it('a batch within a batch is an invalid request (6)', async () => {
    await answers(`[[{"jsonrpc":"2.0",${sum},"id":1}]]`, () => [failure(-32600, null)])
  })
})
