import { JsonRpcProvider, Wallet } from 'ethers'
import type { ChainNodeConfig } from '#testbed/chain/create-chain-node.ts'
import { startChainProcess } from '#testbed/chain/start-chain-process.ts'

export const testChainId = 20261

/** Starts a chain node on a free port; in memory unless `journalPath` is given, open unless not. */
export function startTestChain(config: Partial<ChainNodeConfig> = {}) {
  return startChainProcess({
    chainId: testChainId,
    host: '127.0.0.1',
    port: 0,
    mining: 'auto',
    openRpc: true,
    clockOffset: 0,
    ...config,
  })
}

export interface RpcReply {
  readonly id: unknown
  readonly result?: unknown
  readonly error?: { readonly code: number; readonly message: string; readonly data?: unknown }
}

/** Posts a JSON-RPC message as it is. */
export async function postRpc(rpcUrl: string, message: unknown): Promise<unknown> {
  const response = await fetch(rpcUrl, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: typeof message === 'string' ? message : JSON.stringify(message),
  })
  return response.json()
}

/** One JSON-RPC call by hand: result or error, as it comes over the wire. */
export async function callRpc(rpcUrl: string, method: string, ...params: unknown[]) {
  return (await postRpc(rpcUrl, { jsonrpc: '2.0', id: 1, method, params })) as RpcReply
}

/** A fresh account that signs for the test chain; nothing is ever sent by it. */
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

/** ethers as the foreign client; it must be destroyed. */
export function createTestProvider(rpcUrl: string): JsonRpcProvider {
  return new JsonRpcProvider(rpcUrl, testChainId, { staticNetwork: true, cacheTimeout: -1 })
}
