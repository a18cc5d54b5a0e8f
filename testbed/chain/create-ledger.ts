import { isTestbedError } from '#core/errors/testbed-error.ts'
import type { SimulatedNetwork } from './create-simulated-network.ts'
import { createTransactionPool, type PoolTransaction } from './create-transaction-pool.ts'
import { journalReplayDiffers, unknownSnapshot } from './errors.ts'
import type { Journal, JournalEntry, MinedEntry } from './journal.ts'
import { RpcError, refusalOf, rpcCodes } from './rpc-error.ts'

interface LedgerSnapshot {
  /** The network's own name of it. */
  readonly networkId: string
  /** Length of the journal. */
  readonly position: number
  readonly mode: MiningMode
}

/** Named states of the chain, what is pending in it, and its journal. */
interface LedgerSnapshots {
  /** Call both while nothing else changes the chain. */
  save(name: string, mode: MiningMode): Promise<void>
  /**
   * Back to a state, which can be restored again; those that were saved after it are gone. Returns
   * the mining mode of then.
   * @throws TestbedError `unknown_snapshot`
   */
  restore(name: string): Promise<MiningMode>
  forget(name: string): void
}

/**
 * The network's own snapshots hold blocks, state, time and memory pool; the journal is cut to the
 * length that it had, so that a replay gives the restored chain.
 */
function createLedgerSnapshots(
  { request }: SimulatedNetwork,
  journal: Journal | undefined,
): LedgerSnapshots {
  const saved = new Map<string, LedgerSnapshot>()
  return {
    async save(name, mode) {
      const networkId = await request<string>('evm_snapshot')
      saved.set(name, { networkId, position: journal?.position ?? 0, mode })
    },
    async restore(name) {
      const snapshot = saved.get(name)
      if (snapshot === undefined) {
        throw unknownSnapshot()
      }
      // First what outlives this process.
      journal?.truncate(snapshot.position)
      await request('evm_revert', [snapshot.networkId])
      const names = [...saved.keys()]
      for (const later of names.slice(names.indexOf(name) + 1)) saved.delete(later)
      // The network's own is used up by it.
      const networkId = await request<string>('evm_snapshot')
      saved.set(name, { ...snapshot, networkId })
      return snapshot.mode
    },
    forget(name) {
      saved.delete(name)
    },
  }
}

/**
 * Sends and mines on an empty network as the journal says: the same blocks come out. Returns the
 * time of the last one in Unix seconds; what was accepted after it is pending again.
 * @throws TestbedError `journal_replay_differs`
 */
async function replayJournal(
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
      throw journalReplayDiffers('the node refuses what it had accepted', cause)
    }
  }
  const head = await request<{ hash: string; timestamp: string }>('eth_getBlockByNumber', [
    'latest',
    false,
  ])
  // Each block's hash covers all before it.
  if (last !== undefined && head.hash !== last.hash) {
    throw journalReplayDiffers(`block ${last.number} has another hash`)
  }
  return Number(head.timestamp)
}

/** `auto`: mined when accepted; `manual`: mined on demand; a number: every so many milliseconds. */
export type MiningMode = 'auto' | 'manual' | number

export type MinedBlock = MinedEntry['mined']

/** The chain with its memory pool and journal: the only place that changes it. */
export interface Ledger {
  /**
   * Accepts a signed transaction: its hash, once it is in the journal and, in mode `auto`, mined.
   * One that waits for an earlier nonce of its sender is held.
   * @throws RpcError why it was refused
   */
  sendRawTransaction(raw: string): Promise<string>
  /** Mines one block with what is pending, empty or not. */
  mine(): Promise<MinedBlock>
  setMining(mode: MiningMode): Promise<void>
  /** A reading call. It never sees a block that the journal does not hold yet. */
  read<Result = unknown>(method: string, params?: readonly unknown[]): Promise<Result>
  /** Tells the node that the clock has moved, so that calls on the pending block run at its time. */
  followClock(): Promise<void>
  /** Remembers blocks, state, what is pending and the mining mode under a name. */
  save(name: string): Promise<void>
  /**
   * Back to what a name stands for, on disk too; what was saved after it is gone.
   * @throws TestbedError `unknown_snapshot`
   */
  restore(name: string): Promise<void>
  forget(name: string): void
  close(): Promise<void>
}

export interface LedgerOptions {
  readonly network: SimulatedNetwork
  /** Absent: the chain lives in memory only. */
  readonly journal?: Journal
  readonly mining: MiningMode
  /** Time for new blocks, Unix seconds. */
  readonly now: () => number
}

interface Block {
  readonly number: string
  readonly timestamp: string
  readonly hash: string
  readonly transactions: readonly string[]
}

interface Waiting {
  readonly raw: string
  readonly resolve: (hash: string) => void
  readonly reject: (error: unknown) => void
}

/** As on production nodes (128 KiB), in hex digits with the prefix. */
const largestRawTransaction = 2 * 128 * 1024 + 2
const largestBatch = 256

/**
 * Puts a simulated network under one queue: transactions are checked by the node, written to the
 * journal, mined, and only then answered. Those that arrive meanwhile share the next block and the
 * next write to disk. What the journal holds is replayed first and gives the same blocks.
 * @assumption A-37 transactions out of nonce order are held
 * @throws TestbedError `journal_replay_differs` where the replay does not give the same last block
 */
export async function createLedger(options: LedgerOptions): Promise<Ledger> {
  const { network, journal, now } = options
  const { request } = network
  const pool = createTransactionPool()
  const snapshots = createLedgerSnapshots(network, journal)
  const waiting: Waiting[] = []
  let serving = false
  let mode: MiningMode = 'manual'
  let timer: NodeJS.Timeout | undefined
  let turn: Promise<unknown> = Promise.resolve()
  let refusal: string | undefined
  /** Why the journal could not be written last; undefined once it can. */
  let unwritable: unknown
  /** Blocks that are missing in the journal: a replay would not give what comes after them. */
  const unwritten: JournalEntry[] = []

  const noJournal = (cause: unknown) => {
    unwritable = cause
    const reason = (cause as NodeJS.ErrnoException).code ?? String(cause)
    const message = `The chain node cannot write its journal (${reason}); nothing is accepted until it can.`
    return new RpcError(rpcCodes.resourceUnavailable, message)
  }

  /** @throws RpcError while the journal cannot be written */
  const requireJournal = () => {
    if (unwritable === undefined) return
    try {
      journal?.requireSpace()
      journal?.append(unwritten)
      journal?.sync()
    } catch (cause) {
      throw noJournal(cause)
    }
    unwritten.length = 0
    unwritable = undefined
  }

  /** One change of the chain at a time. */
  const exclusively = <T>(work: () => Promise<T>): Promise<T> => {
    const result = turn.then(work)
    turn = result.catch(() => {})
    return result
  }

  const readPending = async () => {
    pool.clear()
    for (const left of await request<PoolTransaction[]>('eth_pendingTransactions')) pool.add(left)
  }

  let lastTime = await replayJournal(network, journal?.entries ?? [])
  await readPending()

  const nextNonceOf = async (address: string) =>
    Number(await request('eth_getTransactionCount', [address, 'latest']))

  const mineBlock = async (): Promise<MinedBlock> => {
    requireJournal()
    const time = Math.max(now(), lastTime)
    // After a block of more than half its gas limit EIP-1559 raises it to 1 wei, and never lowers it.
    await request('hardhat_setNextBlockBaseFeePerGas', ['0x0'])
    await request('evm_setNextBlockTimestamp', [time])
    await request('evm_mine')
    lastTime = time
    const block = await request<Block>('eth_getBlockByNumber', ['latest', false])
    const { hash, transactions } = block
    pool.remove(transactions)
    const mined = { number: Number(block.number), time, hash, transactions }
    try {
      journal?.append([{ baseFee: 0, mined }])
    } catch (cause) {
      unwritten.push({ baseFee: 0, mined })
      throw noJournal(cause)
    }
    return mined
  }

  /** More than one block where they don't fit into one. */
  const mineExecutable = async () => {
    while (await pool.hasExecutable(nextNonceOf)) {
      const { transactions } = await mineBlock()
      if (transactions.length === 0) return
    }
  }

  const admit = async (raw: string): Promise<string> => {
    if (refusal !== undefined) throw new RpcError(rpcCodes.internalError, refusal)
    requireJournal()
    if (!/^0x([0-9a-f]{2})+$/i.test(raw) || raw.length > largestRawTransaction) {
      throw new RpcError(
        rpcCodes.invalidParams,
        'A raw transaction is 0x and hex digits of at most 128 KiB.',
      )
    }
    pool.refuseReplacement(raw)
    const hash = await request<string>('eth_sendRawTransaction', [raw]).catch((refused) => {
      throw refusalOf(refused)
    })
    pool.add(await request<PoolTransaction>('eth_getTransactionByHash', [hash]))
    return hash
  }

  const keep = async (hashes: readonly string[], entries: readonly JournalEntry[]) => {
    try {
      journal?.append(entries)
    } catch (cause) {
      for (const hash of hashes) await request('hardhat_dropTransaction', [hash])
      pool.remove(hashes)
      throw noJournal(cause)
    }
  }

  const serveWaiting = async () => {
    serving = false
    const accepted: (Waiting & { readonly hash: string })[] = []
    for (const item of waiting.splice(0, largestBatch)) {
      try {
        accepted.push({ ...item, hash: await admit(item.raw) })
      } catch (error) {
        item.reject(error)
      }
    }
    try {
      if (accepted.length > 0) {
        await keep(
          accepted.map(({ hash }) => hash),
          accepted.map(({ raw }) => ({ accepted: raw })),
        )
        if (mode === 'auto') await mineExecutable()
        journal?.sync()
      }
      for (const { resolve, hash } of accepted) resolve(hash)
    } catch (error) {
      for (const { reject } of accepted) reject(error)
    }
    serveSoon()
  }

  const serveSoon = () => {
    if (serving || waiting.length === 0) return
    serving = true
    exclusively(serveWaiting)
  }

  const mineAllNow = () =>
    exclusively(async () => {
      await mineExecutable()
      journal?.sync()
    })

  const followClock = async () => {
    const pending = await request<Block>('eth_getBlockByNumber', ['pending', false])
    const behind = now() - Number(pending.timestamp)
    if (behind > 0) await request('evm_increaseTime', [behind])
  }

  const setMining = async (changed: MiningMode) => {
    mode = changed
    clearInterval(timer)
    if (typeof changed === 'number') {
      timer = setInterval(() => void mineAllNow().catch(() => {}), changed)
    } else if (changed === 'auto') {
      await mineAllNow()
    }
  }

  const restore = async (name: string) => {
    const before = await snapshots.restore(name).catch((cause) => {
      if (isTestbedError(cause)) throw cause
      // The journal is cut by now.
      refusal = 'The chain node could not restore a snapshot; it must be started again.'
      throw cause
    })
    unwritten.length = 0
    await readPending()
    lastTime = Number((await request<Block>('eth_getBlockByNumber', ['latest', false])).timestamp)
    await followClock()
    return before
  }

  if (lastTime < now()) await followClock()
  // What was accepted in the last run, and not mined, is mined now.
  await setMining(options.mining)

  return {
    sendRawTransaction(raw) {
      return new Promise((resolve, reject) => {
        waiting.push({ raw, resolve, reject })
        serveSoon()
      })
    },
    mine: () =>
      exclusively(async () => {
        const block = await mineBlock()
        journal?.sync()
        return block
      }),
    setMining,
    async read(method, params) {
      await turn
      // Services take the chain id for the node's health.
      if (unwritten.length > 0 || method === 'eth_chainId')
        await exclusively(async () => requireJournal())
      return request(method, params)
    },
    followClock: () => exclusively(followClock),
    save: (name) =>
      exclusively(() => {
        requireJournal()
        return snapshots.save(name, mode)
      }),
    restore: async (name) => setMining(await exclusively(() => restore(name))),
    forget: snapshots.forget,
    async close() {
      clearInterval(timer)
      refusal ??= 'The chain node is stopping.'
      await turn
      journal?.close()
    },
  }
}
