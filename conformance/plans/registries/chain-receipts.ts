import { setTimeout as wait } from 'node:timers/promises'
import { keccak_256 } from '@noble/hashes/sha3.js'
import { z } from 'zod'
import type { HttpClient } from '#scenarios/harness/http-client.ts'
import { endCheck, inconclusive } from '../../kit/check.ts'
import { requireJson } from '../../kit/classify-answer.ts'
import { requireVerdict } from './findings.ts'

const zReceipt = z.looseObject({
  status: z.string(),
  transactionHash: z.string(),
  revertReason: z.string().optional(),
})

export type ChainReceipt = z.infer<typeof zReceipt>

/**
 * The receipt of a transaction at the chain node (the profile: eth_getTransactionReceipt at
 * `<chain_rpc_url>`); undefined while it is not mined.
 */
export async function readChainReceipt(
  http: HttpClient,
  rpcUrl: string,
  hash: string,
): Promise<ChainReceipt | undefined> {
  const json = { jsonrpc: '2.0', id: 1, method: 'eth_getTransactionReceipt', params: [hash] }
  const answer = requireVerdict(await http.request(rpcUrl, { json }))
  const { result } = requireJson(answer, 'eth_getTransactionReceipt at the chain node')
  const receipt = zReceipt.safeParse(result)
  return receipt.success ? receipt.data : undefined
}

const shortestPause = 5
const longestPause = 1000
/** A third-party chain may have blocks of many seconds. */
const limitMilliseconds = 40_000

/** Polls a receipt with growing pauses; ends the check as inconclusive if none arrives. */
export async function awaitChainReceipt(
  ask: () => Promise<ChainReceipt | undefined>,
  signal: AbortSignal,
): Promise<ChainReceipt> {
  const end = performance.now() + limitMilliseconds
  for (let pause = shortestPause; ; pause = Math.min(pause * 2, longestPause)) {
    const receipt = await ask()
    if (receipt !== undefined) return receipt
    if (performance.now() >= end) {
      endCheck(inconclusive('The chain returned no receipt of the transaction within 40 seconds'))
    }
    await wait(pause, undefined, { signal })
  }
}

/** The hash of a signed raw transaction, both as 0x-hex. */
export function hashOfTransaction(raw: string): string {
  return `0x${Buffer.from(keccak_256(Buffer.from(raw.slice(2), 'hex'))).toString('hex')}`
}
