import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { request } from 'node:http'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import { keccak256, Wallet } from 'ethers'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { createHostCheck } from '#kit/origins.ts'
import {
  callRpc,
  createTestAccount,
  createTestProvider,
  postRpc,
  type RpcReply,
  startTestChain,
  testChainId,
} from '#test/support/chain.ts'
import { send } from '#test/support/http.ts'
import { listenOn } from '#test/support/servers.ts'
import { createGateway } from '#testbed/chain/create-gateway.ts'
import type { ChainProcess } from '#testbed/chain/start-chain-process.ts'

/** Init code that reverts with the four bytes 0xdeadbeef. */
const revertingCode = '0x63deadbeef6000526004601cfd'

let chain: ChainProcess
beforeAll(async () => {
  chain = await startTestChain()
})
afterAll(() => chain.close())

it('returns 503, in a form that a client can read, until the chain has replayed its journal', async () => {
  const { server, serve } = createGateway(createHostCheck(['127.0.0.1']))
  onTestFinished(() => void server.close())
  const url = await listenOn(server)
  const ask = () => send(url, { json: { jsonrpc: '2.0', id: 1, method: 'eth_chainId' } })
  const early = await ask()
  expect(early.status).toBe(503)
  expect(early.headers.get('retry-after')).toBe('1')
  expect(await early.json()).toEqual({
    jsonrpc: '2.0',
    id: null,
    error: { code: -32002, message: 'The chain is starting.' },
  })
  serve(async () => 'an answer')
  expect(await (await ask()).text()).toBe('an answer')
})

it('exits with code 2, as a separate process, for a value that is not a host name', async () => {
  const program = fileURLToPath(new URL('../../../testbed/chain/main.ts', import.meta.url))
  const child = spawn(process.execPath, [program], {
    env: { PATH: process.env.PATH, PORT: '0', OPEN_RPC: 'true', ALLOWED_HOSTS: 'chain,http://x' },
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  onTestFinished(() => void child.kill('SIGKILL'))
  const [stderr, [code]] = await Promise.all([text(child.stderr), once(child, 'exit')])
  expect([code, stderr]).toEqual([
    2,
    expect.stringContaining('ALLOWED_HOSTS: "http://x" is not a host name'),
  ])
})

describe('what a third-party client sees', () => {
  it('ethers deploys and reads without funds', async () => {
    const provider = createTestProvider(chain.rpcUrl)
    const signer = Wallet.createRandom(provider)
    // Stores 42 as the deployed code's return value: PUSH1 2a, PUSH0, MSTORE8 …
    const response = await signer.sendTransaction({ data: '0x602a60005260206000f3' })
    const receipt = await response.wait(1, 5000)
    expect(receipt?.status).toBe(1)
    expect(await provider.getCode(receipt?.contractAddress ?? '')).toMatch(/2a$/)
    expect(await provider.getTransactionCount(signer.address)).toBe(1)
    expect((await provider.getNetwork()).chainId).toBe(BigInt(testChainId))
    provider.destroy()
  })

  it('accepts transactions of types 0, 1 and 2 with gas price zero', async () => {
    const account = createTestAccount()
    const raws = [
      await account.sign(0, { type: 0 }),
      await account.sign(1, { type: 1 }),
      await account.sign(2, {
        type: 2,
        gasPrice: undefined,
        maxFeePerGas: 0,
        maxPriorityFeePerGas: 0,
      }),
    ]
    for (const raw of raws) {
      const { result } = await callRpc(chain.rpcUrl, 'eth_sendRawTransaction', raw)
      const receipt = await callRpc(chain.rpcUrl, 'eth_getTransactionReceipt', result)
      expect(receipt.result).toMatchObject({ status: '0x1', transactionHash: result })
    }
  })

  it('keeps 500 filters, and replaces the oldest by a further one', async () => {
    const chain = await startTestChain()
    onTestFinished(() => chain.close())
    const { result: oldest } = await callRpc(chain.rpcUrl, 'eth_newFilter', {})
    const create = { jsonrpc: '2.0', id: 1, method: 'eth_newBlockFilter', params: [] }
    const changesOf = (filter: unknown) => callRpc(chain.rpcUrl, 'eth_getFilterChanges', filter)
    const last: RpcReply[] = []
    for (let batch = 0; batch < 5; batch++) {
      expect((await changesOf(oldest)).result).toEqual([])
      last.push(...((await postRpc(chain.rpcUrl, Array(100).fill(create))) as RpcReply[]))
    }
    expect((await changesOf(oldest)).result).toBeNull()
    expect((await changesOf(last[0]?.result)).result).toBeInstanceOf(Array)
    const large = { topics: [Array(300).fill(`0x${'1'.repeat(64)}`)] }
    const { error } = await callRpc(chain.rpcUrl, 'eth_newFilter', large)
    expect(error?.code).toBe(-32005)
  })

  it('adds the revertReason to receipts of failed transactions', async () => {
    const account = createTestAccount()
    const raw = await account.sign(0, { to: null, data: revertingCode })
    const { result } = await callRpc(chain.rpcUrl, 'eth_sendRawTransaction', raw)
    const receipt = await callRpc(chain.rpcUrl, 'eth_getTransactionReceipt', result)
    expect(receipt.result).toMatchObject({ status: '0x0', revertReason: '0xdeadbeef' })
  })

  it('returns the revert data of a call', async () => {
    const { error } = await callRpc(chain.rpcUrl, 'eth_call', { data: revertingCode }, 'latest')
    expect(error).toMatchObject({ code: 3, data: '0xdeadbeef' })
  })

  it('gives blocks the time of the clock, never a later one', async () => {
    const account = createTestAccount()
    for (let nonce = 0; nonce < 20; nonce++) {
      await callRpc(chain.rpcUrl, 'eth_sendRawTransaction', await account.sign(nonce))
    }
    const { result } = await callRpc(chain.rpcUrl, 'eth_getBlockByNumber', 'latest', false)
    const time = Number((result as { timestamp: string }).timestamp)
    expect(time).toBeLessThanOrEqual(Date.now() / 1000)
    expect(time).toBeGreaterThan(Date.now() / 1000 - 20)
  })

  it('suggests a gas price of zero', async () => {
    expect((await callRpc(chain.rpcUrl, 'eth_gasPrice')).result).toBe('0x0')
    expect((await callRpc(chain.rpcUrl, 'eth_maxPriorityFeePerGas')).result).toBe('0x0')
  })

  it('answers what web3.js asks to find out whether a node is up', async () => {
    expect((await callRpc(chain.rpcUrl, 'net_listening')).result).toBe(true)
  })
})

describe('methods that are not public', () => {
  it.each([
    'evm_mine',
    'evm_setNextBlockTimestamp',
    'evm_snapshot',
    'hardhat_setBalance',
    'hardhat_impersonateAccount',
    'debug_traceTransaction',
    'eth_accounts',
    'eth_sendTransaction',
    'eth_sign',
    'eth_signTypedData_v4',
    'eth_pendingTransactions',
    'constructor',
    '__proto__',
  ])('rejects %s', async (method) => {
    expect((await callRpc(chain.rpcUrl, method)).error?.code).toBe(-32601)
  })
})

describe('rejected transactions', () => {
  it('reports a nonce that is too low', async () => {
    const account = createTestAccount()
    await callRpc(chain.rpcUrl, 'eth_sendRawTransaction', await account.sign(0))
    const again = await account.sign(0, { gasLimit: 90_000 })
    const { error } = await callRpc(chain.rpcUrl, 'eth_sendRawTransaction', again)
    expect(error?.code).toBe(-32000)
    expect(error?.message).toMatch(/^nonce too low/)
  })

  it('reports a different chain', async () => {
    const raw = await createTestAccount().sign(0, { chainId: 1 })
    const { error } = await callRpc(chain.rpcUrl, 'eth_sendRawTransaction', raw)
    expect(error?.code).toBe(-32000)
    expect(error?.message).toMatch(/^invalid chain id/)
  })

  it('reports missing funds', async () => {
    const raw = await createTestAccount().sign(0, { value: 1 })
    const { error } = await callRpc(chain.rpcUrl, 'eth_sendRawTransaction', raw)
    expect(error?.code).toBe(-32000)
    expect(error?.message).toMatch(/^insufficient funds/)
  })

  it.each([
    ['not hex', 'zz'],
    ['half a byte', '0x123'],
    ['not a transaction', '0x1234'],
    ['nothing', '0x'],
    ['a number', 5],
    ['an object', { toString: 'x' }],
    ['too much data', `0x02${'00'.repeat(140_000)}`],
  ])('rejects %s as invalid params', async (_name, raw) => {
    const { error } = await callRpc(chain.rpcUrl, 'eth_sendRawTransaction', raw)
    expect(error?.code).toBe(-32602)
  })

  it('returns errors that ethers can distinguish', async () => {
    const provider = createTestProvider(chain.rpcUrl)
    const account = createTestAccount()
    await provider.broadcastTransaction(await account.sign(0))
    const refused = (raw: string) =>
      provider.broadcastTransaction(raw).catch((error: { code: string }) => error.code)
    expect(await refused(await account.sign(0, { gasLimit: 90_000 }))).toBe('NONCE_EXPIRED')
    expect(await refused(await account.sign(1, { value: 1 }))).toBe('INSUFFICIENT_FUNDS')
    provider.destroy()
  })
})

describe('JSON-RPC 2.0', () => {
  const call = (id: unknown, method = 'eth_chainId') => ({ jsonrpc: '2.0', id, method })
  const chainId = `0x${testChainId.toString(16)}`

  it('echoes ids of every kind', async () => {
    for (const given of ['a', 7, 0, '', null]) {
      expect(await postRpc(chain.rpcUrl, call(given))).toEqual({
        jsonrpc: '2.0',
        id: given,
        result: chainId,
      })
    }
  })

  it('answers each item of a batch except notifications', async () => {
    const batch = [call(1), { jsonrpc: '2.0', method: 'eth_chainId' }, 5, call('x', 'evm_mine')]
    const answers = (await postRpc(chain.rpcUrl, batch)) as RpcReply[]
    expect(answers.map((one) => [one.id, one.result ?? one.error?.code])).toEqual([
      [1, chainId],
      [null, -32600],
      ['x', -32601],
    ])
  })

  it('does not answer notifications', async () => {
    const response = await send(chain.rpcUrl, { json: { jsonrpc: '2.0', method: 'eth_chainId' } })
    expect(response.status).toBe(204)
    expect(await response.text()).toBe('')
  })

  it('repeats an id of many digits unchanged', async () => {
    const body = '{"jsonrpc":"2.0","id":12345678901234567890123,"method":"eth_chainId"}'
    const headers = { 'content-type': 'application/json' }
    const response = await fetch(chain.rpcUrl, { method: 'POST', headers, body })
    expect(await response.text()).toContain('"id":12345678901234567890123,')
  })

  it.each([
    ['no JSON', '{"jsonrpc": "2.0", "method": "foobar, "params": "bar", "baz]', -32700],
    ['an empty batch', [], -32600],
    ['a number', 1, -32600],
    ['null', 'null', -32600],
    ['an older version', { id: 1, method: 'eth_chainId' }, -32600],
    ['a name twice', '{"jsonrpc":"2.0","id":1,"id":2,"method":"eth_chainId"}', -32700],
    ['an object as id', { jsonrpc: '2.0', id: {}, method: 'eth_chainId' }, -32600],
    ['a method that is not a string', { jsonrpc: '2.0', id: 1, method: 1 }, -32600],
    ['params that are not a structure', { ...call(1), params: 'bar' }, -32600],
    ['named params', { ...call(1), params: {} }, -32602],
    ['wrong params', { ...call(1, 'eth_getBalance'), params: [5] }, -32602],
    ['a batch that is too long', Array.from({ length: 101 }, (_, n) => call(n)), -32600],
  ])('rejects %s', async (_name, message, code) => {
    expect(((await postRpc(chain.rpcUrl, message)) as RpcReply).error?.code).toBe(code)
  })

  it('accepts only POST of JSON within 1 MiB', async () => {
    const status = async (init: RequestInit) => (await fetch(chain.rpcUrl, init)).status
    const json = { 'content-type': 'application/json' }
    expect(await status({})).toBe(405)
    expect(await status({ method: 'PUT', headers: json, body: '{}' })).toBe(405)
    expect(await status({ method: 'POST', body: JSON.stringify(call(1)) })).toBe(415)
    const large = JSON.stringify({ ...call(1), params: ['x'.repeat(1024 * 1024)] })
    expect(await status({ method: 'POST', headers: json, body: large })).toBe(413)
    expect((await callRpc(chain.rpcUrl, 'eth_chainId')).result).toBe(chainId)
  })
})

it.each([
  ['host', 'localhost'],
  ['authorization', 'Bearer x'],
  ['content-type', 'application/json'],
])('rejects a repeated header: %s', async (name, value) => {
  const sentHeaders = { host: 'localhost', 'content-type': 'application/json', [name]: value }
  const statusWith = (headers: string[]) =>
    new Promise((resolve, reject) => {
      const options = { method: 'POST', headers, setDefaultHeaders: false }
      const sent = request(chain.rpcUrl, options)
      sent.once('response', (response) => resolve(response.resume().statusCode))
      sent.once('error', reject).end()
    })
  const headers = [...Object.entries(sentHeaders).flat(), 'content-length', '0']
  expect(await statusWith(headers)).toBe(200)
  expect(await statusWith([...headers, name, value])).toBe(400)
})

describe('nonce order', () => {
  it('holds 256 transactions out of order, and always accepts the next ones', async () => {
    const crowded = await startTestChain()
    onTestFinished(() => crowded.close())
    const send = (raw: string) => callRpc(crowded.rpcUrl, 'eth_sendRawTransaction', raw)
    const sender = createTestAccount()
    const raws = await Promise.all(
      Array.from({ length: 257 }, (_, place) => sender.sign(place + 2)),
    )
    for (const raw of raws.slice(0, 256)) expect(await send(raw)).toHaveProperty('result')
    expect(await send(raws[256] ?? '')).toMatchObject({
      error: { code: -32005, message: expect.stringContaining('nonce 0 first') },
    })
    const { result } = await send(await createTestAccount().sign(0))
    expect(await callRpc(crowded.rpcUrl, 'eth_getTransactionReceipt', result)).toMatchObject({
      result: { status: '0x1' },
    })
    expect(await send(await sender.sign(0))).toHaveProperty('result')
    expect(await send(await sender.sign(1))).toHaveProperty('result')
    const { result: count } = await callRpc(
      crowded.rpcUrl,
      'eth_getTransactionCount',
      sender.address,
      'latest',
    )
    expect(Number(count)).toBe(258)
    expect(await send(raws[256] ?? '')).toHaveProperty('result')
  })

  it('mines nonces 2, 1, 0 of one sender once 0 has arrived', async () => {
    const account = createTestAccount()
    const hashes: unknown[] = []
    const receipts = async () => {
      const answers = await Promise.all(
        hashes.map((hash) => callRpc(chain.rpcUrl, 'eth_getTransactionReceipt', hash)),
      )
      return answers.map(({ result }) => (result as { status: string } | null)?.status)
    }
    for (const nonce of [2, 1]) {
      const raw = await account.sign(nonce)
      hashes.push((await callRpc(chain.rpcUrl, 'eth_sendRawTransaction', raw)).result)
    }
    const before = await callRpc(chain.rpcUrl, 'eth_blockNumber')
    expect(await receipts()).toEqual([undefined, undefined])
    const raw = await account.sign(0)
    hashes.push((await callRpc(chain.rpcUrl, 'eth_sendRawTransaction', raw)).result)
    expect(await receipts()).toEqual(['0x1', '0x1', '0x1'])
    const after = await callRpc(chain.rpcUrl, 'eth_blockNumber')
    expect(Number(after.result) - Number(before.result)).toBe(1)
  })

  it('never replaces an accepted transaction', async () => {
    const account = createTestAccount()
    const first = await account.sign(1)
    const { result } = await callRpc(chain.rpcUrl, 'eth_sendRawTransaction', first)
    expect(result).toBe(keccak256(first))
    const other = await account.sign(1, { gasLimit: 90_000 })
    const replaced = await callRpc(chain.rpcUrl, 'eth_sendRawTransaction', other)
    expect(replaced.error?.code).toBe(-32000)
    const again = await callRpc(chain.rpcUrl, 'eth_sendRawTransaction', first)
    expect(again.error?.message).toBe('already known')
    await callRpc(chain.rpcUrl, 'eth_sendRawTransaction', await account.sign(0))
    const receipt = await callRpc(chain.rpcUrl, 'eth_getTransactionReceipt', result)
    expect(receipt.result).toMatchObject({ status: '0x1' })
  })

  it('mines several blocks if the transactions do not fit into one', async () => {
    const accounts = Array.from({ length: 3 }, createTestAccount)
    const raws = await Promise.all(accounts.map((one) => one.sign(0, { gasLimit: 30_000_000 })))
    const sent = await Promise.all(
      raws.map((raw) => callRpc(chain.rpcUrl, 'eth_sendRawTransaction', raw)),
    )
    for (const { result } of sent) {
      const receipt = await callRpc(chain.rpcUrl, 'eth_getTransactionReceipt', result)
      expect(receipt.result).toMatchObject({ status: '0x1' })
    }
  })
})
