import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { callRpc, type RegistryChain, startRegistryChain } from '#test/support/chain.ts'
import { createDidKey } from '#test/support/create-did-key.ts'
import { startTir, type TirClient, tirApiKey } from '#test/support/registries.ts'

/**
 * Every example of JSON-RPC 2.0, section 7, in its order and with its ids. `subtract`, `sum` and
 * `get_data` are methods of ours here; ours take their params by position (Document 2, TIR).
 */
const key = createDidKey('subject')
const data = {
  from: key.address,
  did: key.did,
  attributeId: `0x${'ab'.repeat(32)}`,
  attributeData: '0x616263',
}
const metadata = {
  from: key.address,
  did: key.did,
  revisionId: data.attributeId,
  issuerType: 'TI',
  taoDid: key.did,
  attributeIdTao: data.attributeId,
}
const subtract = `"method": "setAttributeData", "params": [${JSON.stringify(data)}]`
const sum = `"method": "setAttributeMetadata", "params": [${JSON.stringify(metadata)}]`

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

/** The body of an answer as it came over the wire. */
async function exchange(text: string): Promise<{ status: number; type: unknown; body: string }> {
  const answer = await fetch(`${tir.baseUrl}/v1/jsonrpc`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-api-key': tirApiKey },
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
  // Exactly these members: a result excludes an error and the other way round.
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
  ])('rpc call with named parameters, which no method here has', async (id, params) => {
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

  it('rpc call of non-existent method', async () => {
    await answers('{"jsonrpc": "2.0", "method": "foobar", "id": "1"}', () => failure(-32601, '1'))
  })

  it('rpc call with invalid JSON', async () => {
    const { status, body } = await exchange(
      '{"jsonrpc": "2.0", "method": "foobar, "params": "bar", "baz]',
    )
    expect([status, JSON.parse(body)]).toEqual([400, failure(-32700, null)])
  })

  it('rpc call with invalid Request object', async () => {
    const text = '{"jsonrpc": "2.0", "method": 1, "params": "bar"}'
    await answers(text, () => failure(-32600, null))
  })

  it('rpc call Batch, invalid JSON', async () => {
    const { body } = await exchange(`[
      {"jsonrpc": "2.0", "method": "sum", "params": [1,2,4], "id": "1"},
      {"jsonrpc": "2.0", "method"
    ]`)
    expect(JSON.parse(body)).toEqual(failure(-32700, null))
  })

  it('rpc call with an empty Array', async () => {
    await answers('[]', () => failure(-32600, null))
  })

  it('rpc call with an invalid Batch (but not empty)', async () => {
    await answers('[1]', () => [failure(-32600, null)])
  })

  it('rpc call with invalid Batch', async () => {
    await answers('[1,2,3]', () => [1, 2, 3].map(() => failure(-32600, null)))
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

describe('what the sections before it ask for', () => {
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
  ])('the id %s comes back as it was', async (id) => {
    const { body } = await exchange(`{"jsonrpc":"2.0","method":"foobar","id":${id}}`)
    const found = /"id":("(?:[^"\\]|\\.)*"|[^,}]+)/.exec(body)?.[1] ?? ''
    const isText = id.startsWith('"')
    expect(isText ? JSON.parse(found) : found).toBe(isText ? JSON.parse(id) : id)
  })

  it('a notification with params that are wrong is not answered (4.1)', async () => {
    for (const params of ['[]', '{}', '[{"from":1}]']) {
      const text = `{"jsonrpc":"2.0","method":"setAttributeData","params":${params}}`
      expect((await exchange(text)).body).toBe('')
    }
  })

  it('a notification is carried out all the same (4.1)', async () => {
    const unsigned = await tir.build('setAttributeData', data)
    const params = await tir.sign(key, unsigned)
    const count = async () =>
      (await callRpc(chain.rpcUrl, 'eth_getTransactionCount', key.address, 'pending')).result
    expect(await count()).toBe('0x0')
    const message = { jsonrpc: '2.0', method: 'sendSignedTransaction', params: [params] }
    expect((await exchange(JSON.stringify(message))).status).toBe(204)
    expect(await count()).toBe('0x1')
  })

  it('method names that begin with rpc. are found nowhere (4)', async () => {
    await answers('{"jsonrpc":"2.0","method":"rpc.discover","id":1}', () => failure(-32601, 1))
  })

  it('requests of a batch with one id are each answered under it (6)', async () => {
    const one = `{"jsonrpc":"2.0",${sum},"id":1}`
    await answers(`[${one},${one}]`, () => [success(1), success(1)])
  })

  it('a batch within a batch is an invalid request (6)', async () => {
    await answers(`[[{"jsonrpc":"2.0",${sum},"id":1}]]`, () => [failure(-32600, null)])
  })
})
