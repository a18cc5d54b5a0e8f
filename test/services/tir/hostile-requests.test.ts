import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { TraceSink } from '#kit/traces.ts'
import { callRpc, startRegistryChain } from '#test/support/chain.ts'
import { createDidKey } from '#test/support/create-did-key.ts'
import { changeLengths, changeMembers, hostileBodies } from '#test/support/hostile-bodies.ts'
import { send } from '#test/support/http.ts'
import { startTir, tirApiKey } from '#test/support/registries.ts'
import { createTestRuntime } from '#test/support/services.ts'

const key = createDidKey('subject')
const tao = createDidKey('tao')
const attributeId = `0x${'ab'.repeat(32)}`

/** Each method with valid params. */
const methods: Record<string, Record<string, unknown>> = {
  setAttributeMetadata: {
    from: key.address,
    did: key.did,
    revisionId: attributeId,
    issuerType: 'TI',
    taoDid: tao.did,
    attributeIdTao: `0x${'cd'.repeat(32)}`,
  },
  setAttributeData: {
    from: key.address,
    did: key.did,
    attributeId,
    attributeData: '0x616263',
  },
}
const methodNames = ['setAttributeMetadata', 'setAttributeData', 'sendSignedTransaction']

const chain = await startRegistryChain()
// Recorded traces parse the bodies again, and must survive the same input.
const traces: TraceSink = { enabled: true, record: (describe) => void describe() }
const tir = await startTir(chain, { runtime: { ...createTestRuntime(), traces } })
let before: unknown

async function readChain() {
  const read = async (method: string, ...params: unknown[]) =>
    (await callRpc(chain.rpcUrl, method, ...params)).result
  return [
    await read('eth_blockNumber'),
    await read('eth_getTransactionCount', key.address, 'pending'),
  ]
}

beforeAll(async () => {
  const unsigned = await tir.build('setAttributeData', methods.setAttributeData ?? {})
  methods.sendSignedTransaction = await tir.sign(key, unsigned)
  before = await readChain()
})
// The requests of the tests have not changed the state, and the service is still healthy.
afterAll(async () => {
  expect(await readChain()).toEqual(before)
  expect((await tir.get('/health')).status).toBe(200)
  // The valid requests are still accepted.
  const { result } = await tir.call('sendSignedTransaction', methods.sendSignedTransaction)
  expect(result).toMatch(/^0x[0-9a-f]{64}$/)
})

const failure = (code: number, id: unknown) => ({
  jsonrpc: '2.0',
  id,
  error: { code, message: expect.any(String) },
})
const paramsOf = (method: string) => methods[method] as Record<string, unknown>

// @row 2.endpoints/tir.8
describe.each(methodNames)('POST /v1/jsonrpc for %s', (method) => {
  it.each(hostileBodies)('rejects $name', async ({ status = 400, headers, make }) => {
    const valid = { jsonrpc: '2.0', id: 1, method, params: [paramsOf(method)] }
    const answer = await send(`${tir.baseUrl}/v1/jsonrpc`, {
      headers: { 'x-api-key': tirApiKey, ...headers },
      body: make(valid),
    })
    // JSON that is not a request is rejected with HTTP 200, unlike a body that is not JSON.
    const isJson = status === 400 && answer.status === 200
    expect(answer.status).toBe(isJson ? 200 : status)
    const codes = status !== 400 || isJson ? [-32600] : [-32700]
    const body = (await answer.json()) as { error: { code: number } }
    expect(body).toEqual(failure(body.error.code, null))
    expect(codes).toContain(body.error.code)
  })

  it('rejects each member of params that is missing or has the wrong type', async () => {
    for (const { name, body } of changeMembers(paramsOf(method))) {
      expect(await tir.call(method, body), name).toEqual(failure(-32602, 1))
    }
  })

  it('rejects each member of params with the wrong length or format', async () => {
    const fixed = ['from', 'revisionId', 'attributeIdTao', 'attributeId', 'protocol']
    const members = Object.keys(paramsOf(method)).filter((name) => fixed.includes(name))
    for (const { name, body } of changeLengths(paramsOf(method), members)) {
      expect(await tir.call(method, body), name).toEqual(failure(-32602, 1))
    }
  })

  it('ignores inherited members of params', async () => {
    const { from: _, ...rest } = paramsOf(method)
    for (const name of ['__proto__', 'constructor', 'prototype']) {
      const members = JSON.stringify({ ...rest, protocol: undefined }).slice(1)
      const inherited = JSON.stringify(paramsOf(method))
      const text = `{"jsonrpc":"2.0","id":1,"method":"${method}","params":[{"${name}":${inherited},${members}]}`
      expect((await tir.post(text)).body, name).toEqual(failure(-32602, 1))
    }
  })
})

// @row 2.endpoints/tir.16 2.errors/tir.4
describe('sendSignedTransaction', () => {
  it('rejects each member of the transaction that is missing or has the wrong type or length', async () => {
    const params = paramsOf('sendSignedTransaction')
    const unsigned = params.unsignedTransaction as Record<string, unknown>
    const changed = [
      ...changeMembers(unsigned),
      ...changeLengths(unsigned, ['from', 'to', 'data']),
      ...changeLengths(unsigned, ['nonce', 'gasLimit', 'gasPrice', 'chainId', 'value']).filter(
        ({ name }) => !/more|less/.test(name),
      ),
    ]
    for (const { name, body } of changed) {
      const changed = { ...params, unsignedTransaction: body }
      const answer = await tir.call('sendSignedTransaction', changed)
      expect(answer, name).toEqual(failure(-32602, 1))
    }
  })

  it('rejects r, s, v and a raw transaction with the wrong length', async () => {
    const params = paramsOf('sendSignedTransaction')
    for (const { name, body } of changeLengths(params, ['r', 's', 'v', 'signedRawTransaction'])) {
      expect(await tir.call('sendSignedTransaction', body), name).toEqual(failure(-32602, 1))
    }
  })
})

// @row 2.errors/tir.6..8
describe('GET /v1/issuers/{did}/attributes/{attributeId}', () => {
  const refused = async (path: string, status: number, error: string) => {
    const answer = await tir.get(`/v1/issuers/${path}`)
    expect(answer, path.slice(0, 100)).toEqual({
      status,
      body: { error, error_description: expect.any(String) },
    })
  }

  it('rejects an attributeId that is not hex', async () => {
    for (const id of [
      '%00',
      '0x0a',
      `0x${'0a'.repeat(32)}`,
      'g',
      '%20',
      '0a%00',
      '１',
      'ñ',
      '%ff',
    ]) {
      await refused(`${key.did}/attributes/${id}`, 400, 'validation_error')
    }
  })

  it('returns 404 for an impossible DID or attributeId', async () => {
    const hex = 'ab'.repeat(32)
    for (const did of ['__proto__', 'constructor', '%00', `${key.did}%00`, 'a'.repeat(4000)]) {
      await refused(`${did}/attributes/${hex}`, 404, 'not_found')
    }
    for (const id of ['0', 'ab', `${hex}ab`, 'ab'.repeat(2000)]) {
      await refused(`${key.did}/attributes/${id}`, 404, 'not_found')
    }
  })

  it('is read-only', async () => {
    for (const method of ['POST', 'PUT', 'DELETE']) {
      const path = `${tir.baseUrl}/v1/issuers/${key.did}/attributes/ab`
      expect((await fetch(path, { method })).status).toBe(405)
    }
  })
})
