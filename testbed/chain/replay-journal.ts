import type { NetworkCall, SimulatedNetwork } from './create-simulated-network.ts'
import { journalReplayDiffers } from './errors.ts'
import type { JournalEntry } from './journal.ts'

/** Receives now and then how many journal entries of all are replayed. */
export type ReplayListener = (progress: { readonly done: number; readonly total: number }) => void

/** Journal entries in one call of the replay. */
const replayBatch = 64

function callsOf(entry: JournalEntry): readonly NetworkCall[] {
  if ('accepted' in entry) return [['eth_sendRawTransaction', entry.accepted]]
  const mine = ['evm_mine', entry.mined.time] as const
  return entry.baseFee === 0 ? [['hardhat_setNextBlockBaseFeePerGas', '0x0'], mine] : [mine]
}

/**
 * Sends and mines on an empty network what the journal lists, which gives the same blocks;
 * transactions that were accepted later are pending again.
 * @throws TestbedError `journal_replay_differs`
 */
export async function replayJournal(
  { request, requestAll }: SimulatedNetwork,
  entries: readonly JournalEntry[],
  onReplay: ReplayListener,
): Promise<void> {
  for (let done = 0; done < entries.length; done += replayBatch) {
    try {
      await requestAll(entries.slice(done, done + replayBatch).flatMap(callsOf))
    } catch (cause) {
      throw journalReplayDiffers('the node rejects a transaction that it had accepted', cause)
    }
    onReplay({ done: Math.min(done + replayBatch, entries.length), total: entries.length })
  }
  const last = entries.findLast((entry) => 'mined' in entry)?.mined
  if (last === undefined) return
  const { hash } = await request<{ hash: string }>('eth_getBlockByNumber', ['latest', false])
  // Each block's hash covers all blocks before it.
  if (hash !== last.hash) throw journalReplayDiffers(`block ${last.number} has a different hash`)
}
