import { isTestbedError } from '#core/errors/testbed-error.ts'
import { createAdmission } from './create-admission.ts'
import { createCallCache } from './create-call-cache.ts'
import { createJournalWriter } from './create-journal-writer.ts'
import { createMiner, type MinedBlock } from './create-miner.ts'
import type { SimulatedNetwork } from './create-simulated-network.ts'
import { unknownSnapshot } from './errors.ts'
import type { Journal } from './journal.ts'
import { type ReplayListener, replayJournal } from './replay-journal.ts'
import { RpcError, rpcCodes } from './rpc-error.ts'

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

/**
 * `auto`: mined when accepted; `manual`: mined on request; a number: mined at this interval in
 * milliseconds.
 */
export type MiningMode = 'auto' | 'manual' | number

/** The chain with its memory pool and journal. Changes go only through this interface. */
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
  const { request } = network
  const snapshots = createLedgerSnapshots(network, options.journal)
  const journal = createJournalWriter(options.journal)
  const calls = createCallCache(network)
  const { pool, ...admission } = createAdmission(network)
  const miner = createMiner({ network, pool, journal, calls, now })
  const exclusively = createTurns()
  let mode: MiningMode = 'manual'
  let timer: NodeJS.Timeout | undefined
  let refusal: string | undefined

  const accept = async (raw: string): Promise<string> => {
    if (refusal !== undefined) throw new RpcError(rpcCodes.internalError, refusal)
    journal.require()
    return admission.admit(raw)
  }

  const commit = async (accepted: readonly Accepted[]): Promise<void> => {
    try {
      journal.append(accepted.map(({ raw }) => ({ accepted: raw })))
    } catch (error) {
      await admission.drop(accepted.map(({ hash }) => hash))
      throw error
    }
    if (mode === 'auto') await miner.mineExecutable()
    journal.sync()
  }

  const mineAllNow = () =>
    exclusively(async () => {
      await miner.mineExecutable()
      journal.sync()
    })

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
    await admission.readPending()
    await miner.continueAtHead()
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
      (method === 'eth_estimateGas' && miner.isAtHead)
    return isSame ? [subject, 'latest'] : params
  }

  await replayJournal(network, options.journal?.entries ?? [], onReplay)
  await admission.readPending()
  await miner.continueAtHead()
  // Transactions that the last run accepted but did not mine are mined now.
  await setMining(options.mining)

  return {
    sendRawTransaction: createTransactionQueue({ exclusively, accept, commit }),
    mine: () =>
      exclusively(async () => {
        const block = await miner.mineBlock()
        journal.sync()
        return block
      }),
    get mining() {
      return mode
    },
    setMining,
    async read<Result>(method: string, params: readonly unknown[] = []) {
      await exclusively.idle()
      // Services use the chain id as the health check of the node.
      if (journal.isIncomplete || method === 'eth_chainId')
        await exclusively(async () => journal.require())
      const isLatestCall = method === 'eth_call' && params.length === 2 && params[1] === 'latest'
      return isLatestCall
        ? ((await calls.call(params)) as Result)
        : request<Result>(method, withoutPending(method, params))
    },
    followClock: () => exclusively(miner.followClock),
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
      await exclusively.idle()
      journal.close()
    },
  }
}

type Exclusively = <T>(work: () => Promise<T>) => Promise<T>

/** Runs changes of the chain one at a time. */
function createTurns(): Exclusively & { idle(): Promise<unknown> } {
  let turn: Promise<unknown> = Promise.resolve()
  const exclusively: Exclusively = (work) => {
    const result = turn.then(work)
    turn = result.catch(() => {})
    return result
  }
  return Object.assign(exclusively, { idle: () => turn })
}

interface Waiting {
  readonly raw: string
  readonly resolve: (hash: string) => void
  readonly reject: (error: unknown) => void
}

type Accepted = Pick<Waiting, 'raw'> & { readonly hash: string }

const largestBatch = 256

interface QueueOptions {
  readonly exclusively: Exclusively
  readonly accept: (raw: string) => Promise<string>
  /** Writes a batch to the journal and mines it. */
  readonly commit: (accepted: readonly Accepted[]) => Promise<void>
}

/** Accepts transactions in batches: those that arrive meanwhile are the next one. */
function createTransactionQueue({ exclusively, accept, commit }: QueueOptions) {
  const waiting: Waiting[] = []
  let isServing = false

  const serve = async () => {
    isServing = false
    const accepted: (Waiting & Accepted)[] = []
    for (const item of waiting.splice(0, largestBatch)) {
      try {
        accepted.push({ ...item, hash: await accept(item.raw) })
      } catch (error) {
        item.reject(error)
      }
    }
    try {
      if (accepted.length > 0) await commit(accepted)
      for (const { resolve, hash } of accepted) resolve(hash)
    } catch (error) {
      for (const { reject } of accepted) reject(error)
    }
    serveSoon()
  }

  const serveSoon = () => {
    if (isServing || waiting.length === 0) return
    isServing = true
    exclusively(serve)
  }

  return (raw: string): Promise<string> =>
    new Promise((resolve, reject) => {
      waiting.push({ raw, resolve, reject })
      serveSoon()
    })
}
