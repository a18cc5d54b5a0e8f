import { TestbedError } from '#core/errors/testbed-error.ts'
import type { SimulatedNetwork } from './create-simulated-network.ts'
import type { JournalEntry, MinedEntry } from './journal.ts'

function differs(what: string, cause?: unknown): TestbedError {
  return new TestbedError({
    code: 'journal_replay_differs',
    status: 500,
    message: `The chain's journal could not be replayed: ${what}.`,
    hints: ['It was written by another version of the chain node. Start on a new data folder.'],
    cause,
  })
}

/**
 * Sends and mines on an empty network as the journal says: the same blocks come out. Returns the
 * time of the last one in Unix seconds; what was accepted after it is pending again.
 * @throws TestbedError `journal_replay_differs`
 */
export async function replayJournal(
  { request }: SimulatedNetwork,
  entries: readonly JournalEntry[],
): Promise<number> {
  let last: MinedEntry['mined'] | undefined
  for (const entry of entries) {
    try {
      if ('accepted' in entry) {
        await request('eth_sendRawTransaction', [entry.accepted])
      } else {
        if (entry.baseFee === 0) await request('hardhat_setNextBlockBaseFeePerGas', ['0x0'])
        await request('evm_setNextBlockTimestamp', [entry.mined.time])
        await request('evm_mine')
        last = entry.mined
      }
    } catch (cause) {
      throw differs('the node refuses what it had accepted', cause)
    }
  }
  const head = await request<{ hash: string; timestamp: string }>('eth_getBlockByNumber', [
    'latest',
    false,
  ])
  // Each block's hash covers all before it.
  if (last !== undefined && head.hash !== last.hash) {
    throw differs(`block ${last.number} has another hash`)
  }
  return Number(head.timestamp)
}
