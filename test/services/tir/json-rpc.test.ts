import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type RegistryChain, startRegistryChain } from '#test/support/chain.ts'
import { createDidKey } from '#test/support/create-did-key.ts'
import {
  apiKeysOperatorKey,
  otherApiKey,
  type RpcAnswer,
  startTir,
  type TirClient,
} from '#test/support/registries.ts'
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

let chain: RegistryChain
let tir: TirClient

beforeAll(async () => {
  chain = await startRegistryChain()
  tir = await startTir(chain)
})
afterAll(async () => {
  await tir.stop()
  await chain.stop()
})

const codeOf = async (message: unknown) => (await tir.post(message)).body.error?.code

describe('a request', () => {
  it.each([1, 0, -1, 1.5, 'text', '', null])('with id %o is answered under it', async (id) => {
    const { status, body } = await tir.post(ping(id))
    expect([status, body.jsonrpc, body.id]).toEqual([200, '2.0', id])
    expect(body).toHaveProperty('result')
    expect(body).not.toHaveProperty('error')
  })

  // @row 2.errors/tir.1
  it.each([
    ['a broken body', '{"jsonrpc": "2.0", "method": "foobar, "params": "bar", "baz]'],
    ['a broken batch', '[{"jsonrpc":"2.0","method":"sum","params":[1,2,4],"id":"1"},{"jsonrpc"'],
    ['an empty body', ''],
    ['no JSON', 'x'],
  ])('of %s is a parse error, also without a key', async (_name, text) => {
    for (const headers of [undefined, {}]) {
      const { body } = await tir.post(text, headers)
      expect(body).toEqual({
        jsonrpc: '2.0',
        id: null,
        error: { code: -32700, message: expect.any(String) },
      })
    }
  })

  it.each([
    ['', /empty/],
    ['{"jsonrpc":"2.0","method":"x","id":1,"id":2}', /twice/],
  ])('that can not be read is told why: %s', async (text, reason) => {
    const { status, body } = await tir.post(text)
    expect([status, body.error]).toEqual([
      400,
      { code: -32700, message: expect.stringMatching(reason) },
    ])
  })

  // @row 2.errors/tir.2
  it.each([
    ['{"jsonrpc": "2.0", "method": 1, "params": "bar"}', null],
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
  ])('that is none is an invalid request: %s', async (text, id) => {
    const { status, body } = await tir.post(text)
    expect([status, body]).toEqual([
      200,
      { jsonrpc: '2.0', id, error: { code: -32600, message: expect.any(String) } },
    ])
  })

  // @row 2.errors/tir.3
  it.each(['foobar', 'eth_sendTransaction'])('for the method %o finds none', async (method) => {
    const answer = await tir.call(method, data)
    expect(answer).toEqual({
      jsonrpc: '2.0',
      id: 1,
      error: { code: -32601, message: expect.any(String) },
    })
  })

  // @row 2.errors/tir.4
  it.each([
    ['none', undefined],
    ['an object', data],
    ['an empty array', []],
    ['two objects', [data, data]],
    ['a text', ['x']],
    ['null', [null]],
    ['a list', [[data]]],
  ])('with params of %s has invalid ones', async (_name, params) => {
    expect(await codeOf({ ...ping(1), params })).toBe(-32602)
  })
})

describe('a batch', () => {
  it('is answered member by member, notifications and all', async () => {
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

  it('that is empty or too large is one invalid request', async () => {
    for (const batch of [[], Array.from({ length: 101 }, () => 1)]) {
      const { body } = await tir.post(batch)
      expect(body).toMatchObject({ id: null, error: { code: -32600 } })
    }
  })

  it('of notifications alone is not answered, and neither is a single one', async () => {
    const notification = { jsonrpc: '2.0', method: 'foobar', params: [] }
    for (const message of [notification, [notification, notification]]) {
      expect(await tir.post(message)).toEqual({ status: 204, body: undefined })
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
  ])('that is %s is 401 with -32600 under the id', async (_name, headers) => {
    const { status, body } = await tir.post(ping('mine'), headers as Record<string, string>)
    expect([status, body]).toEqual([
      401,
      { jsonrpc: '2.0', id: 'mine', error: { code: -32600, message: expect.any(String) } },
    ])
    const batch = await tir.post([ping(1)], headers as Record<string, string>)
    expect([batch.status, batch.body.id]).toEqual([401, null])
  })

  it('opens from its creation to its revocation, and not a request longer', async () => {
    const manage = async (method: string, path: string, body?: object) => {
      const answer = await fetch(`${tir.apiKeysUrl}/api-keys${path}`, {
        method,
        headers: { 'x-api-key': apiKeysOperatorKey, 'content-type': 'application/json' },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      })
      return (await answer.json()) as { id: string; key: string }
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
    ['no JSON', 200, 'yes'],
    ['no verdict', 200, '{}'],
    ['a verdict of another type', 200, '{"active":"true"}'],
    ['a redirect', 302, '{"active":true}'],
  ])('opens nothing where the API key service answers %s', async (_name, status, body) => {
    const confused = createServer((_request, response) => {
      response.writeHead(status, { 'content-type': 'application/json', location: '/' }).end(body)
    })
    await new Promise<void>((resolve) => confused.listen(0, '127.0.0.1', resolve))
    const { port } = confused.address() as AddressInfo
    const stranded = await startTir(chain, { config: { apiKeysUrl: `http://127.0.0.1:${port}` } })
    expect(await stranded.post(ping('x'))).toEqual({
      status: 200,
      body: { jsonrpc: '2.0', id: 'x', error: { code: -32603, message: 'Internal error.' } },
    })
    await stranded.stop()
    confused.closeAllConnections()
    await new Promise((resolve) => confused.close(resolve))
  })

  it('opens nothing while the API key service is away', async () => {
    const runtime = createTestRuntime()
    runtime.activeFaults.add('api-keys-down')
    const stranded = await startTir(chain, { runtime })
    const { body } = await stranded.post(ping('x'))
    expect(body).toEqual({
      jsonrpc: '2.0',
      id: 'x',
      error: { code: -32603, message: 'Internal error.' },
    })
    runtime.activeFaults.clear()
    expect((await stranded.post(ping('x'))).body).toHaveProperty('result')
    await stranded.stop()
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

// @row 2.resources-and-their-fields/types-used-in-the-tir.1..4 2.errors/tir.4 2.limits.5
describe('invalid params', () => {
  const hex64 = 'ab'.repeat(32)
  const invalid = async (method: string, params: object) => {
    const answer = await tir.call(method, params)
    expect(answer).toEqual({
      jsonrpc: '2.0',
      id: 1,
      error: { code: -32602, message: expect.any(String) },
    })
  }

  // @row 2.endpoints/tir.10
  it.each(Object.keys(metadata))(
    'of setAttributeMetadata without or with a wrong %s',
    async (name) => {
      for (const value of [undefined, null, 1, '', {}, [], true]) {
        await invalid('setAttributeMetadata', { ...metadata, [name]: value })
      }
    },
  )

  // @row 2.endpoints/tir.11
  it.each(Object.keys(data))('of setAttributeData without or with a wrong %s', async (name) => {
    for (const value of [undefined, null, 1, '', {}, [], true]) {
      await invalid('setAttributeData', { ...data, [name]: value })
    }
  })

  it('are told by name, those that are missing as such', async () => {
    const { issuerType, ...rest } = metadata
    const answer = await tir.call('setAttributeMetadata', { ...rest, from: 1 })
    const { message } = (answer as { error: { message: string } }).error
    expect(message).toContain('issuerType is required')
    expect(message).toContain('from: ')
  })

  it.each([
    ['a DID of another method', { did: 'did:web:x' }],
    ['a DID with a fragment', { did: `${key.did}#a` }],
    ['a revisionId of 63 characters', { revisionId: `0x${hex64.slice(1)}` }],
    ['a revisionId of 65 characters', { revisionId: `0x${hex64}a` }],
    ['an attributeIdTao without 0x', { attributeIdTao: hex64 }],
  ])('of setAttributeMetadata with %s', async (_name, change) => {
    await invalid('setAttributeMetadata', { ...metadata, ...change })
  })

  it.each([
    ['no data', { attributeData: '0x' }],
    ['half a byte', { attributeData: '0x616' }],
    ['bytes that are no UTF-8', { attributeData: '0xff41' }],
    ['an attributeId of 31 bytes', { attributeId: `0x${'ab'.repeat(31)}` }],
  ])('of setAttributeData with %s', async (_name, change) => {
    await invalid('setAttributeData', { ...data, ...change })
  })
})

describe('the service itself', () => {
  // @row 2.endpoints/tir.3..5 2.authentication.3 2.what-the-service-does.4
  it('has health with uptime, metrics and documentation, without a key', async () => {
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
  it('answers -32603 while the chain is away, and its health says so', async () => {
    const runtime = createTestRuntime()
    const stranded = await startTir(chain, { runtime })
    runtime.activeFaults.add('chain-down')
    const { status, body } = await stranded.post(ping(1))
    expect([status, body.error]).toEqual([200, { code: -32603, message: 'Internal error.' }])
    expect(await stranded.get('/health')).toMatchObject({
      status: 503,
      body: { status: 'error', uptime: expect.any(Number), chain: 'disconnected' },
    })
    runtime.activeFaults.delete('chain-down')
    expect((await stranded.get('/health')).status).toBe(200)
    await stranded.stop()
  })
})
