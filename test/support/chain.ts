import { getCreateAddress, Interface, JsonRpcProvider, Wallet } from 'ethers'
import { onTestFinished } from 'vitest'
import type { ChainNodeConfig, ChainNodeProgress } from '#testbed/chain/create-chain-node.ts'
import { startChainProcess } from '#testbed/chain/start-chain-process.ts'
import { readCompiledContract } from './contracts.ts'
import { createDidKey, type DidKey } from './create-did-key.ts'
import { callJson } from './http.ts'
import { onFinished } from './services.ts'

export const testChainId = 20261

/** Starts a chain node on a free port; in memory unless `journalPath` is given, open unless not. */
export function startTestChain(
  config: Partial<ChainNodeConfig> = {},
  progress?: ChainNodeProgress,
) {
  const defaults = {
    chainId: testChainId,
    host: '127.0.0.1',
    port: 0,
    mining: 'auto',
    openRpc: true,
    clockOffset: 0,
  } as const
  return startChainProcess({ ...defaults, ...config }, progress)
}

export interface RpcReply {
  readonly id: unknown
  readonly result?: unknown
  readonly error?: { readonly code: number; readonly message: string; readonly data?: unknown }
}

/** Posts a JSON-RPC message unchanged. */
export async function postRpc(rpcUrl: string, message: unknown): Promise<unknown> {
  const call = typeof message === 'string' ? { body: message } : { json: message }
  return (await callJson(rpcUrl, call)).body
}

/** One raw JSON-RPC call; returns the result or error of the response. */
export async function callRpc(rpcUrl: string, method: string, ...params: unknown[]) {
  return (await postRpc(rpcUrl, { jsonrpc: '2.0', id: 1, method, params })) as RpcReply
}

/** A fresh account that signs for the test chain, but never sends. */
export function createTestAccount() {
  const wallet = new Wallet(Wallet.createRandom().privateKey)
  return {
    address: wallet.address,
    sign: (nonce: number, members: object = {}) =>
      wallet.signTransaction({
        chainId: testChainId,
        gasLimit: 100_000,
        gasPrice: 0,
        to: '0x2222222222222222222222222222222222222222',
        nonce,
        ...members,
      }),
  }
}

/** ethers as the third-party client; the caller must destroy it. */
export function createTestProvider(rpcUrl: string): JsonRpcProvider {
  return new JsonRpcProvider(rpcUrl, testChainId, { staticNetwork: true, cacheTimeout: -1 })
}

/**
 * A chain node with both registries deployed and an authorized onboarding node. Its RPC accepts
 * only transactions to them, as in a testbed. It ends with the running test, or with the file.
 */
export async function startRegistryChain(
  prefix = 'did:org:uc-pre:',
  operator = createDidKey('operator', prefix),
) {
  const addressOf = (nonce: number) => getCreateAddress({ from: operator.address, nonce })
  const registries = [addressOf(0), addressOf(1)]
  const chain = await startTestChain({ registries, openRpc: false })
  onFinished(() => chain.close())
  const { rpcUrl } = chain
  const node = createDidKey('onboarding node', prefix)
  let nonce = 0

  const send = async (to: string | null, data: string) => {
    const transaction = { to, data, nonce: nonce++, chainId: testChainId, gasPrice: 0 }
    const raw = await operator.wallet.signTransaction({ ...transaction, gasLimit: 15_000_000 })
    await chain.sendRawTransactions([raw])
  }
  const deploy = async (name: string, ...args: unknown[]) => {
    const { abi, bytecode } = readCompiledContract(name)
    const iface = new Interface(abi as never)
    const address = addressOf(nonce)
    await send(null, bytecode + iface.encodeDeploy(args).slice(2))
    return { address, iface }
  }

  const registry = await deploy('DidRegistry', operator.address, prefix)
  const tir = await deploy('TrustedIssuersRegistry', registry.address)
  const authorize = registry.iface.encodeFunctionData('authorizeOnboardingNode', [node.address])
  await send(registry.address, authorize)

  return {
    chain,
    rpcUrl,
    operator,
    node,
    registry,
    tir,
    /** Sends a transaction directly, not through an API, by the operator or another signer. */
    sendDirectly: async (
      signer: DidKey,
      contract: { address: string; iface: Interface },
      method: string,
      ...args: unknown[]
    ) => {
      const count = await callRpc(rpcUrl, 'eth_getTransactionCount', signer.address, 'pending')
      const raw = await signer.wallet.signTransaction({
        to: contract.address,
        data: contract.iface.encodeFunctionData(method, args),
        nonce: Number(count.result),
        chainId: testChainId,
        gasPrice: 0,
        gasLimit: 15_000_000,
      })
      const { result, error } = await callRpc(rpcUrl, 'eth_sendRawTransaction', raw)
      if (error !== undefined) throw new Error(error.message)
      const receipt = await callRpc(rpcUrl, 'eth_getTransactionReceipt', result)
      if ((receipt.result as { status: string }).status !== '0x1') throw new Error('reverted')
    },
  }
}

export type RegistryChain = Awaited<ReturnType<typeof startRegistryChain>>

/** Starts a chain node as `startTestChain` does, which ends with the running test, and reads it as a client. */
export async function openTestChain(config?: Partial<ChainNodeConfig>) {
  const chain = await startTestChain(config)
  onTestFinished(() => chain.close())
  const call = async (method: string, ...params: unknown[]) =>
    (await callRpc(chain.rpcUrl, method, ...params)).result
  /** Hashes and state roots from the genesis block on. */
  const readBlocks = async () => {
    const last = Number(await call('eth_blockNumber'))
    const blocks = await Promise.all(
      Array.from({ length: last + 1 }, (_, number) =>
        call('eth_getBlockByNumber', `0x${number.toString(16)}`, false),
      ),
    )
    return blocks.map((block) => {
      const { hash, stateRoot, timestamp } = block as Record<string, string>
      return { hash, stateRoot, timestamp }
    })
  }
  const end = async (signal: NodeJS.Signals) => {
    process.kill(chain.pid, signal)
    await chain.ended
  }
  return { chain, call, readBlocks, end }
}
