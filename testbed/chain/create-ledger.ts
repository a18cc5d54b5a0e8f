import { isTestbedError } from '#core/errors/testbed-error.ts'
import type { NetworkCall, SimulatedNetwork } from './create-simulated-network.ts'
import { createTransactionPool, type PoolTransaction } from './create-transaction-pool.ts'
import { journalReplayDiffers, unknownSnapshot } from './errors.ts'
import type { Journal, JournalEntry, MinedEntry } from './journal.ts'
import { RpcError, refusalOf, rpcCodes } from './rpc-error.ts'

interface LedgerSnapshot {
  /** The network's id of the snapshot. */
  readonly networkId: string
  /** Length of the journal. */
  readonly position: number
  readonly mode: MiningMode
}

/** Named snapshots of the chain, its pending transactions and its journal. */
interface LedgerSnapshots {
  /** Call both only while nothing else changes the chain. */
  save(name: string, mode: MiningMode): Promise<void>
  /**
   * Restores a snapshot, which can be restored again; drops later snapshots. Returns the mining
   * mode at the time of the snapshot.
   * @throws TestbedError `unknown_snapshot`
   */
  restore(name: string): Promise<MiningMode>
  forget(name: string): void
}

/**
 * The network's own snapshots contain blocks, state, time and memory pool. The journal is cut to
 * its length at that time, so that a replay gives the restored chain.
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
      // The journal first, because it outlives this process.
      journal?.truncate(snapshot.position)
      await request('evm_revert', [snapshot.networkId])
      const names = [...saved.keys()]
      for (const later of names.slice(names.indexOf(name) + 1)) saved.delete(later)
      // The network deletes its own snapshot when it restores it.
      const networkId = await request<string>('evm_snapshot')
      saved.set(name, { ...snapshot, networkId })
      return snapshot.mode
    },
    forget(name) {
      saved.delete(name)
    },
  }
}

/** Receives now and then how many journal entries of all are replayed. */
type ReplayListener = (progress: { readonly done: number; readonly total: number }) => void

/** Journal entries in one call of the replay. */
const replayBatch = 64

function callsOf(entry: JournalEntry): readonly NetworkCall[] {
  if ('accepted' in entry) return [['eth_sendRawTransaction', entry.accepted]]
  const mine = ['evm_mine', entry.mined.time] as const
  return entry.baseFee === 0 ? [['hardhat_setNextBlockBaseFeePerGas', '0x0'], mine] : [mine]
}

/**
 * Sends and mines on an empty network what the journal lists, which gives the same blocks. Returns
 * the time of the last block in Unix seconds; transactions that were accepted later are pending
 * again.
 * @throws TestbedError `journal_replay_differs`
 */
async function replayJournal(
  { request, requestAll }: SimulatedNetwork,
  entries: readonly JournalEntry[],
  onReplay: ReplayListener,
): Promise<number> {
  for (let done = 0; done < entries.length; done += replayBatch) {
    try {
      await requestAll(entries.slice(done, done + replayBatch).flatMap(callsOf))
    } catch (cause) {
      throw journalReplayDiffers('the node rejects a transaction that it had accepted', cause)
    }
    onReplay({ done: Math.min(done + replayBatch, entries.length), total: entries.length })
  }
  const head = await request<{ hash: string; timestamp: string }>('eth_getBlockByNumber', [
    'latest',
    false,
  ])
  const last = entries.findLast((entry) => 'mined' in entry)?.mined
  // Each block's hash covers all blocks before it.
  if (last !== undefined && head.hash !== last.hash) {
    throw journalReplayDiffers(`block ${last.number} has a different hash`)
  }
  return Number(head.timestamp)
}

/**
 * `auto`: mined when accepted; `manual`: mined on request; a number: mined at this interval in
 * milliseconds.
 */
export type MiningMode = 'auto' | 'manual' | number

export type MinedBlock = MinedEntry['mined']

/** The chain with its memory pool and journal: only this module changes the chain. */
export interface Ledger {
  /**
   * Accepts a signed transaction. Returns its hash once it is in the journal and, in mode `auto`,
   * mined. Holds a transaction that waits for an earlier nonce of its sender.
   * @throws RpcError why it was rejected
   */
  sendRawTransaction(raw: string): Promise<string>
  /** Mines one block with all pending transactions, possibly empty. */
  mine(): Promise<MinedBlock>
  /** The current mode, also after a restored snapshot. */
  readonly mining: MiningMode
  setMining(mode: MiningMode): Promise<void>
  /** Makes a read call. It never sees a block that is not yet in the journal. */
  read<Result = unknown>(method: string, params?: readonly unknown[]): Promise<Result>
  /**
   * Notifies the node that the clock has moved, so that calls on the pending block run at its time.
   */
  followClock(): Promise<void>
  /** Saves blocks, state, pending transactions and the mining mode under a name. */
  save(name: string): Promise<void>
  /**
   * Restores the state with this name, on disk too; drops states that were saved later.
   * @throws TestbedError `unknown_snapshot`
   */
  restore(name: string): Promise<void>
  forget(name: string): void
  close(): Promise<void>
}

export interface LedgerOptions {
  readonly network: SimulatedNetwork
  /** Absent: the chain is only in memory. */
  readonly journal?: Journal
  readonly mining: MiningMode
  /** Time for new blocks, Unix seconds. */
  readonly now: () => number
  readonly onReplay?: ReplayListener
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

/** Answers to calls that are kept until the next block, and the length of the largest of them. */
const [mostAnswers, longestAnswer] = [256, 32 * 1024]

/** Keeps what calls on the latest block return until the next change of the chain. */
function createCallCache({ request }: SimulatedNetwork) {
  /** A new map for each state of the chain. */
  let answers = new Map<string, Promise<unknown>>()
  return {
    /** The engine needs a millisecond for each call. */
    call(params: readonly unknown[]): Promise<unknown> {
      const known = answers
      const key = JSON.stringify(params)
      const forget = () => known.delete(key)
      const answer = known.get(key) ?? request('eth_call', params)
      if (!known.has(key)) {
        if (known.size >= mostAnswers) known.clear()
        known.set(key, answer)
        answer.then((value) => String(value).length > longestAnswer && forget(), forget)
      }
      return answer
    },
    /** Changes the chain. A call that is answered meanwhile is not kept. */
    async changing<T>(work: () => Promise<T>): Promise<T> {
      answers = new Map()
      try {
        return await work()
      } finally {
        answers = new Map()
      }
    },
  }
}

/**
 * Writes the journal, if there is one, and recovers from a full disk: what is missing is written
 * before anything else.
 */
function createJournalWriter(journal: Journal | undefined) {
  /** Why the last write failed; undefined once it succeeds. */
  let unwritable: unknown
  /** Blocks that are missing in the journal: a replay would not give the blocks after them. */
  const unwritten: JournalEntry[] = []

  const write = (work: () => void) => {
    try {
      work()
    } catch (cause) {
      unwritable = cause
      const reason = (cause as NodeJS.ErrnoException).code ?? String(cause)
      const message = `The chain node cannot write its journal (${reason}). It accepts no transactions until it can: check the space and the permissions of the data folder.`
      throw new RpcError(rpcCodes.resourceUnavailable, message)
    }
  }

  return {
    get isIncomplete() {
      return unwritten.length > 0
    },
    /** @throws RpcError while the journal cannot be written */
    require() {
      if (unwritable === undefined) return
      write(() => {
        journal?.requireSpace()
        journal?.append(unwritten)
        journal?.sync()
      })
      unwritten.length = 0
      unwritable = undefined
    },
    /** @throws RpcError if it cannot be written */
    append: (entries: readonly JournalEntry[]) => write(() => journal?.append(entries)),
    /** Keeps an entry that could not be written for the next attempt. */
    writeLater: (entry: JournalEntry) => unwritten.push(entry),
    /** Drops the entries that could not be written: a snapshot without them was restored. */
    forgetUnwritten() {
      unwritten.length = 0
    },
    sync: () => journal?.sync(),
    close: () => journal?.close(),
  }
}

/** The limit of production nodes (128 KiB), in hex digits with the prefix. */
const largestRawTransaction = 2 * 128 * 1024 + 2
const largestBatch = 256

/**
 * Puts a simulated network behind one queue: the node checks transactions, which are written to the
 * journal, mined, and only then answered. Transactions that arrive meanwhile share the next block
 * and the next write to disk. The journal is replayed first and gives the same blocks.
 * @throws TestbedError `journal_replay_differs` if the replay does not give the same last block
 *
 * @assumption A-37 transactions out of nonce order are held
 */
export async function createLedger(options: LedgerOptions): Promise<Ledger> {
  const { network, now, onReplay = () => {} } = options
  const { request, requestAll } = network
  const pool = createTransactionPool()
  const snapshots = createLedgerSnapshots(network, options.journal)
  const journal = createJournalWriter(options.journal)
  const calls = createCallCache(network)
  const waiting: Waiting[] = []
  let serving = false
  let mode: MiningMode = 'manual'
  let timer: NodeJS.Timeout | undefined
  let turn: Promise<unknown> = Promise.resolve()
  let refusal: string | undefined

  /** Changes of the chain run one at a time. */
  const exclusively = <T>(work: () => Promise<T>): Promise<T> => {
    const result = turn.then(work)
    turn = result.catch(() => {})
    return result
  }

  const readPending = async () => {
    pool.clear()
    for (const left of await request<PoolTransaction[]>('eth_pendingTransactions')) pool.add(left)
  }

  let lastTime = await replayJournal(network, options.journal?.entries ?? [], onReplay)
  await readPending()

  const nextNonceOf = async (address: string) =>
    Number(await request('eth_getTransactionCount', [address, 'latest']))

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

  /** More than one block if they do not fit into one. */
  const mineExecutable = async () => {
    while (await pool.hasExecutable(nextNonceOf)) {
      const { transactions } = await mineBlock()
      if (transactions.length === 0) return
    }
  }

  const admit = async (raw: string): Promise<string> => {
    if (refusal !== undefined) throw new RpcError(rpcCodes.internalError, refusal)
    journal.require()
    if (!/^0x([0-9a-f]{2})+$/i.test(raw) || raw.length > largestRawTransaction) {
      throw new RpcError(
        rpcCodes.invalidParams,
        'A raw transaction must be 0x followed by hex digits, at most 128 KiB.',
      )
    }
    pool.refuseReplacement(raw)
    const hash = await request<string>('eth_sendRawTransaction', [raw]).catch((refused) => {
      throw refusalOf(refused)
    })
    const transaction = await request<PoolTransaction>('eth_getTransactionByHash', [hash])
    try {
      await pool.admit(transaction, nextNonceOf)
    } catch (refused) {
      await request('hardhat_dropTransaction', [hash])
      throw refused
    }
    return hash
  }

  const keep = async (hashes: readonly string[], entries: readonly JournalEntry[]) => {
    try {
      journal.append(entries)
    } catch (error) {
      for (const hash of hashes) await request('hardhat_dropTransaction', [hash])
      pool.remove(hashes)
      throw error
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
        journal.sync()
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
      journal.sync()
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
    const before = await calls
      .changing(() => snapshots.restore(name))
      .catch((cause) => {
        if (isTestbedError(cause)) throw cause
        // The journal is already cut.
        refusal = 'The chain node could not restore a snapshot and must be restarted.'
        throw cause
      })
    journal.forgetUnwritten()
    await readPending()
    lastTime = Number((await request<Block>('eth_getBlockByNumber', ['latest', false])).timestamp)
    await followClock()
    return before
  }

  /**
   * Reads the latest block instead of the pending one where the answer is the same: the engine
   * mines a block for each read of the pending one, at four times the cost of a small call.
   */
  const withoutPending = (method: string, params: readonly unknown[]): readonly unknown[] => {
    const [subject, block = 'pending', ...rest] = params
    if (!pool.isEmpty || block !== 'pending' || rest.length > 0) return params
    // An empty pending block differs in number and time; the contracts read only the time.
    const isSame =
      (method === 'eth_getTransactionCount' && params.length === 2) ||
      (method === 'eth_estimateGas' && now() === lastTime)
    return isSame ? [subject, 'latest'] : params
  }

  if (lastTime < now()) await followClock()
  // Transactions that the last run accepted but did not mine are mined now.
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
        journal.sync()
        return block
      }),
    get mining() {
      return mode
    },
    setMining,
    async read<Result>(method: string, params: readonly unknown[] = []) {
      await turn
      // Services use the chain id as the health check of the node.
      if (journal.isIncomplete || method === 'eth_chainId')
        await exclusively(async () => journal.require())
      const isLatestCall = method === 'eth_call' && params.length === 2 && params[1] === 'latest'
      return isLatestCall
        ? ((await calls.call(params)) as Result)
        : request<Result>(method, withoutPending(method, params))
    },
    followClock: () => exclusively(followClock),
    save: (name) =>
      exclusively(() => {
        journal.require()
        return snapshots.save(name, mode)
      }),
    restore: async (name) => setMining(await exclusively(() => restore(name))),
    forget: snapshots.forget,
    async close() {
      clearInterval(timer)
      refusal ??= 'The chain node is stopping.'
      await turn
      journal.close()
    },
  }
}
