import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { id } from 'ethers'
import { describe, expect, it, onTestFinished } from 'vitest'
import {
  callRpc,
  createTestAccount,
  postRpc,
  type RpcReply,
  startRegistryChain,
  startTestChain,
  testChainId,
} from '#test/support/chain.ts'
import { controlKeyOf } from '#test/support/contracts.ts'
import { createDidKey, type DidKey } from '#test/support/create-did-key.ts'
import { startDidRegistry, startTir } from '#test/support/registries.ts'
import { createTemporaryFolder } from '#test/support/temporary-folder.ts'
import { createPublicAccess } from '#testbed/chain/create-public-access.ts'
import { RpcError } from '#testbed/chain/rpc-error.ts'
import type { ChainProcess } from '#testbed/chain/start-chain-process.ts'

/** Call data of a function that only reads. */
const identifiers = `${id('identifiers(uint256,uint256)').slice(0, 10)}${'00'.repeat(64)}`
  .toUpperCase()
  .replace('0X', '0x')
const sled = '5b'.repeat(1500)

/** Codes that make the simulated network record as much as their gas pays for. */
const expensiveCodes = {
  'an endless loop': '0x5b600056',
  'an endless loop of the cheapest instructions': `0x${sled}600056`,
  'stack operations': `0x5b${'5f50'.repeat(700)}5f56`,
  'calls of itself': '0x5b5f5f5f5f5f305af1505f56',
  'hashing of much memory': '0x5b620100005f20505f56',
  'copying of much memory': '0x5b620100005f5f5e5f56',
  'contract creations': '0x5b61c0005f5ff0505f56',
  pairings: '0x5b60205f6101805f60085afa505f56',
  'a large exponent': '0x60205f526020602052602060405260ff5f535b60205f60805f60055afa50600f56',
}

const peakMegabytes = (pid: number): number =>
  Number(/VmHWM:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) / 1024

/** Ends the chain before it can take this machine's memory, where a bound has failed. */
function endAt({ pid, ended }: ChainProcess, megabytes: number): void {
  const timer = setInterval(() => {
    if (peakMegabytes(pid) > megabytes) process.kill(pid, 'SIGKILL')
  }, 20)
  ended.then(() => clearInterval(timer))
}

const chain = await startRegistryChain()
const { rpcUrl } = chain
endAt(chain.chain, 2000)

describe('transactions', () => {
  const transactionOf = (signer: DidKey, nonce: number, to: string | null, type: 0 | 2 = 0) =>
    signer.wallet.signTransaction({
      chainId: testChainId,
      gasLimit: 100_000,
      ...(type === 0 ? { gasPrice: 0 } : { maxFeePerGas: 0, maxPriorityFeePerGas: 0 }),
      type,
      data: '0x5b600056',
      nonce,
      to,
    })

  it.each(['another account', 'the operator'])(
    'of %s reach only the two registries',
    async (who) => {
      const { operator, registry, tir } = chain
      const signer = who === 'the operator' ? operator : createDidKey(who)
      const count = await callRpc(rpcUrl, 'eth_getTransactionCount', signer.address, 'latest')
      const nonce = Number(count.result)
      for (const to of [null, signer.address, '0x0000000000000000000000000000000000000001']) {
        for (const type of [0, 2] as const) {
          const raw = await transactionOf(signer, nonce, to, type)
          const { error } = await callRpc(rpcUrl, 'eth_sendRawTransaction', raw)
          expect(error).toMatchObject({
            code: -32000,
            message: expect.stringMatching(/registries/),
          })
        }
      }
      for (const [index, to] of [registry.address, tir.address.toLowerCase()].entries()) {
        const raw = await transactionOf(signer, nonce + index, to)
        const { result } = await callRpc(rpcUrl, 'eth_sendRawTransaction', raw)
        const receipt = await callRpc(rpcUrl, 'eth_getTransactionReceipt', result)
        expect(receipt.result).toMatchObject({ status: '0x0' })
      }
    },
  )

  it('to a read-only function are rejected', async () => {
    const account = createTestAccount()
    const call = { to: chain.registry.address, data: identifiers, gasLimit: 60_000_000 }
    const raw = await account.sign(0, call)
    const { error } = await callRpc(rpcUrl, 'eth_sendRawTransaction', raw)
    expect(error).toMatchObject({ code: -32000, message: expect.stringMatching(/read-only/) })
  })

  it('to other addresses in an older journal are still replayed', async () => {
    const journalPath = join(createTemporaryFolder(), 'chain.journal')
    const open = await startTestChain({ journalPath })
    const account = createTestAccount()
    const raws = [
      await account.sign(0),
      await account.sign(1, { to: null, data: '0x602a60005260206000f3' }),
    ]
    for (const raw of raws) await callRpc(open.rpcUrl, 'eth_sendRawTransaction', raw)
    const head = await callRpc(open.rpcUrl, 'eth_getBlockByNumber', 'latest', false)
    await open.close()
    const registries = [createDidKey('registry').address]
    const closed = await startTestChain({ journalPath, registries, openRpc: false })
    onTestFinished(() => closed.close())
    expect(await callRpc(closed.rpcUrl, 'eth_getBlockByNumber', 'latest', false)).toEqual(head)
  })
})

describe('calls with code from the caller', () => {
  /** Everything that could lead around the bound on gas. */
  const attemptsWith = (code: string, registry: string): readonly [string, unknown[]][] => [
    ['eth_call', [{ data: code }, 'latest']],
    ['eth_call', [{ data: code, gas: '0x3938700' }, 'latest']],
    ['eth_call', [{ data: code, gas: '0xffffffffffffffff' }, 'pending']],
    ['eth_call', [{ input: code, gas: 60_000_000, gasLimit: '0x3938700' }, 'latest']],
    ['eth_call', [{ to: registry, data: '0x' }, 'latest', { [registry]: { code } }]],
    ['eth_estimateGas', [{ data: code }]],
    ['eth_estimateGas', [{ data: code, gas: '0x3938700' }, 'latest']],
  ]

  it.each(Object.entries(expensiveCodes))(
    'take little memory: %s, in every form at the same time',
    async (_name, code) => {
      const attempts = attemptsWith(code, chain.registry.address)
      const answers = await Promise.all(
        [...attempts, ...attempts, ...attempts].map(([method, params]) =>
          callRpc(rpcUrl, method, ...params),
        ),
      )
      for (const { error } of answers) expect(error?.message).toMatch(/out of gas|revert/)
      expect(peakMegabytes(chain.chain.pid)).toBeLessThan(800)
    },
  )

  it.each([['0x3938700x'], ['60000000'], [-1], [1.5], [{}], [`0x${'f'.repeat(17)}`]])(
    'are rejected if gas is %j',
    async (gas) => {
      const { error } = await callRpc(rpcUrl, 'eth_call', { data: '0x5b600056', gas }, 'latest')
      expect(error?.code).toBe(-32602)
    },
  )

  it.each([[[]], [['latest']], [[null, 'latest']]])(
    'are rejected with params %j',
    async (params) => {
      expect((await callRpc(rpcUrl, 'eth_call', ...params)).error?.code).toBe(-32602)
    },
  )
})

describe('the services', () => {
  it('respond while twenty expensive calls are always in progress', async () => {
    const didRegistry = await startDidRegistry(chain)
    const tir = await startTir(chain)
    const { did } = await didRegistry.register('resolved during a flood')
    let flooding = true
    let floods = 0
    const flood = Array.from({ length: 20 }, async () => {
      while (flooding) {
        await callRpc(rpcUrl, 'eth_call', { data: `0x${sled}600056` }, 'latest')
        floods += 1
      }
    })
    const statuses: number[] = []
    for (let round = 0; round < 5; round++) {
      statuses.push((await didRegistry.get('/health')).status)
      statuses.push((await tir.get('/health')).status)
      statuses.push((await didRegistry.resolve(did)).status)
      statuses.push(
        (
          await didRegistry.write(chain.node, 'updateAlsoKnownAs', {
            did,
            alsoKnownAs: `urn:${round}`,
          })
        ).status,
      )
    }
    expect(statuses).toEqual(Array(20).fill(200))
    flooding = false
    await Promise.all(flood)
    expect(floods).toBeGreaterThan(20)
  })
})

describe('calls of the registries', () => {
  it('get at most the gas limit of a block', async () => {
    const { registry, node } = chain
    const key = createDidKey('large')
    const estimate = (kilobytes: number, gas?: string) => {
      const args = [key.did, 'x'.repeat(kilobytes * 1000), controlKeyOf(key), 'urn:x']
      const data = registry.iface.encodeFunctionData('insertFirstDidDocument', args)
      const call = { from: node.address, to: registry.address, data, ...(gas && { gas }) }
      return callRpc(rpcUrl, 'eth_estimateGas', call)
    }
    const small = await estimate(1)
    expect(Number(small.result)).toBeLessThan(3_000_000)
    expect((await estimate(1, '0x3938700')).result).toBe(small.result)
    const large = await estimate(45)
    expect(Number(large.result)).toBeGreaterThan(30_000_000)
    for (const gas of [undefined, '0xffffffffffffffff']) {
      expect((await estimate(100, gas)).error?.message).toMatch(/out of gas/)
    }
    expect(peakMegabytes(chain.chain.pid)).toBeLessThan(800)
  })
})

describe('the queue of large calls', () => {
  const registry = createDidKey('registry').address

  /** A node whose calls end when the test says so; those with little gas end immediately. */
  function createSlowAccess() {
    const gates: (() => void)[] = []
    const gasOf: unknown[] = []
    const access = createPublicAccess(
      {
        sendRawTransaction: async () => '0x',
        read: async <Result>(_method: string, params: readonly unknown[] = []) => {
          const { gas, to } = params[0] as { gas: string; to?: string }
          gasOf.push(Number(gas))
          if (to === undefined) await new Promise<void>((resolve) => void gates.push(resolve))
          else if (Number(gas) < 5_000_000) throw new RpcError(-32000, 'out of gas')
          return 'result' as Result
        },
      },
      { registries: [registry], openRpc: false },
    )
    return { access, gates, gasOf }
  }

  it('holds 32 calls, one of which runs, and rejects the next one', async () => {
    const { access, gates } = createSlowAccess()
    const calls = Array.from({ length: 32 }, () => access.call('eth_call', [{ data: '0x' }]))
    await expect(access.call('eth_call', [{ data: '0x' }])).rejects.toMatchObject({ code: -32005 })
    await expect(access.readMuch('eth_getLogs', [{}])).rejects.toMatchObject({ code: -32005 })
    let ended = 0
    for (const call of calls) call.then(() => (ended += 1))
    while (ended < calls.length) {
      await new Promise(setImmediate)
      expect(gates.length).toBeLessThanOrEqual(1)
      gates.pop()?.()
    }
    const last = access.call('eth_call', [{ data: '0x' }])
    await new Promise(setImmediate)
    gates.pop()?.()
    expect(await last).toBe('result')
  })

  it.each([
    ['a registry function that needs little gas', { to: registry, gas: '0x100000' }, [1_048_576]],
    ['a registry function that needs much gas', { to: registry }, [3_000_000, 60_000_000]],
    ['a read-only function', { to: registry, data: identifiers }, [3_000_000, 60_000_000]],
  ])('gives a call of %s the gas it needs', async (_name, call, gas) => {
    const { access, gasOf } = createSlowAccess()
    await access.call('eth_call', [call, 'latest']).catch(() => {})
    expect(gasOf).toEqual(gas)
  })
})

describe('a batch', () => {
  it('is answered up to 32 MiB', async () => {
    const open = await startTestChain()
    onTestFinished(() => open.close())
    const account = createTestAccount()
    // LOG0 of 64 kB.
    for (let nonce = 0; nonce < 64; nonce++) {
      const raw = await account.sign(nonce, { to: null, data: '0x620100005fa0', gasLimit: 900_000 })
      await callRpc(open.rpcUrl, 'eth_sendRawTransaction', raw)
    }
    const batch = Array.from({ length: 20 }, (_, id) => ({
      jsonrpc: '2.0',
      id,
      method: 'eth_getLogs',
      params: [{ fromBlock: '0x0', toBlock: 'latest' }],
    }))
    const answers = (await postRpc(open.rpcUrl, batch)) as RpcReply[]
    expect(answers.map(({ id }) => id)).toEqual(batch.map(({ id }) => id))
    const codes = answers.map(({ error }) => error?.code)
    expect(codes).toEqual([...Array(4).fill(undefined), ...Array(16).fill(-32005)])
  })
})
