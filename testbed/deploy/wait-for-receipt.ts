import { setTimeout as wait } from 'node:timers/promises'
import type { ChainClient, TransactionReceipt } from '#kit/chain-client.ts'

/**
 * The receipt of a transaction, or null where none came within the limit (milliseconds). Our own
 * chain node has it when it answers the sending, so the first look finds it.
 */
export async function waitForReceipt(
  chain: ChainClient,
  hash: string,
  limitMilliseconds = 30_000,
): Promise<TransactionReceipt | null> {
  const end = performance.now() + limitMilliseconds
  for (let pause = 1; ; pause = Math.min(pause * 2, 500)) {
    const receipt = await chain.getTransactionReceipt(hash)
    if (receipt !== null || performance.now() > end) return receipt
    await wait(pause)
  }
}
