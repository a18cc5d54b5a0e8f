import { setTimeout as wait } from 'node:timers/promises'
import type { ChainClient, TransactionReceipt } from '#kit/chain-client.ts'

const shortestPause = 2
const longestPause = 100

/**
 * Asks for a receipt until it is there or the time is up, with growing pauses: a node that mines at
 * once answers the first question. Undefined where it did not come in time.
 */
export async function awaitReceipt(
  chain: ChainClient,
  hash: string,
  limitMilliseconds: number,
): Promise<TransactionReceipt | undefined> {
  const end = performance.now() + limitMilliseconds
  for (let pause = shortestPause; ; pause = Math.min(pause * 2, longestPause)) {
    const receipt = await chain.getTransactionReceipt(hash)
    if (receipt !== null) return receipt
    const left = end - performance.now()
    if (left <= 0) return undefined
    await wait(Math.min(pause, left))
  }
}
