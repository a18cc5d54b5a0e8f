import { onTestFinished } from 'vitest'
import { callRpc, startTestChain } from './chain.ts'

/** Starts a chain node as `startTestChain` does, which ends with the running test, and reads it as a client. */
export async function openTestChain(config: Parameters<typeof startTestChain>[0]) {
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
