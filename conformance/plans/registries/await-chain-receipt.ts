import { setTimeout as wait } from 'node:timers/promises'
import { endCheck, inconclusive } from '../../kit/finding.ts'
import type { ChainReceipt } from './read-chain-receipt.ts'

const shortestPause = 5
const longestPause = 1000
/** A foreign chain may have blocks of many seconds. */
const limitMilliseconds = 40_000

/** Asks for a receipt with growing pauses; ends the check as inconclusive where none comes. */
export async function awaitChainReceipt(
  ask: () => Promise<ChainReceipt | undefined>,
  signal: AbortSignal,
): Promise<ChainReceipt> {
  const end = performance.now() + limitMilliseconds
  for (let pause = shortestPause; ; pause = Math.min(pause * 2, longestPause)) {
    const receipt = await ask()
    if (receipt !== undefined) return receipt
    if (performance.now() >= end) {
      endCheck(inconclusive('The chain had no receipt of the transaction within 40 seconds'))
    }
    await wait(pause, undefined, { signal })
  }
}
