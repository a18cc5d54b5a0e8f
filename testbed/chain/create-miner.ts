import type { CallCache } from './create-call-cache.ts'
import type { JournalWriter } from './create-journal-writer.ts'
import type { SimulatedNetwork } from './create-simulated-network.ts'
import type { TransactionPool } from './create-transaction-pool.ts'
import type { MinedEntry } from './journal.ts'

export type MinedBlock = MinedEntry['mined']

interface Block {
  readonly number: string
  readonly timestamp: string
  readonly hash: string
  readonly transactions: readonly string[]
}

interface MinerOptions {
  readonly network: SimulatedNetwork
  readonly pool: TransactionPool
  readonly journal: JournalWriter
  readonly calls: CallCache
  /** Time for new blocks, Unix seconds. */
  readonly now: () => number
}

/** Mines blocks, each not before the one before it, and writes them to the journal. */
export function createMiner({
  network: { request, requestAll },
  pool,
  journal,
  calls,
  now,
}: MinerOptions) {
  let lastTime = 0

  const mineBlock = async (): Promise<MinedBlock> => {
    journal.require()
    const time = Math.max(now(), lastTime)
    // After a block of more than half its gas limit, EIP-1559 raises the base fee to 1 wei and
    // never lowers it.
    const results = await calls.changing(() =>
      requestAll([
        ['hardhat_setNextBlockBaseFeePerGas', '0x0'],
        ['evm_mine', time],
        ['eth_getBlockByNumber', 'latest', false],
      ]),
    )
    lastTime = time
    const block = results.at(-1) as Block
    const { hash, transactions } = block
    pool.remove(transactions)
    const mined = { number: Number(block.number), time, hash, transactions }
    const entry = { baseFee: 0, mined } as const
    try {
      journal.append([entry])
    } catch (error) {
      journal.writeLater(entry)
      throw error
    }
    return mined
  }

  const followClock = async (): Promise<void> => {
    const pending = await request<Block>('eth_getBlockByNumber', ['pending', false])
    const behind = now() - Number(pending.timestamp)
    if (behind > 0) await request('evm_increaseTime', [behind])
  }

  return {
    mineBlock,
    /** Mines the transactions that a block can include: several blocks if they do not fit into one. */
    async mineExecutable(): Promise<void> {
      while (await pool.hasExecutable()) {
        const { transactions } = await mineBlock()
        if (transactions.length === 0) return
      }
    },
    followClock,
    /** Continues with the latest block of the network, after a start or a restored snapshot. */
    async continueAtHead(): Promise<void> {
      const head = await request<Block>('eth_getBlockByNumber', ['latest', false])
      lastTime = Number(head.timestamp)
      if (lastTime < now()) await followClock()
    },
    /** Whether the next block would have the time of the latest one. */
    get isAtHead() {
      return now() === lastTime
    },
  }
}
