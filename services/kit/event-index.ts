import { z } from 'zod'
import type { EventDecoder } from '#core/ethereum/abi.ts'
import { type ChainClient, ChainRpcError } from './chain-client.ts'

export interface EventIndexOptions {
  readonly chain: ChainClient
  /** Address of the contract. */
  readonly address: string
  /** The first block that can hold a log of the contract. */
  readonly firstBlock: number
}

export interface EventIndex {
  /**
   * All logs of the contract up to the latest block, oldest first: the list itself, which the next
   * query may change.
   */
  logs(): Promise<readonly IndexedLog[]>
  /** Those with this first indexed argument, 0x-hex of 32 bytes; oldest first, also the list. */
  logsOf(firstArgument: string): Promise<readonly IndexedLog[]>
  /** Unix seconds of the log's block. */
  timeOf(log: IndexedLog): Promise<number>
}

/**
 * Follows the logs of a contract: each query asks the chain only for the blocks since the last one.
 * After a restored snapshot or a reorganization it drops the logs of removed blocks and reads again
 * from there. Kept in memory, since the chain has all of it.
 */
export function createEventIndex({ chain, address, firstBlock }: EventIndexOptions): EventIndex {
  const store = createLogStore()
  const checkpoints: Checkpoint[] = []
  const times = new Map<string, number>()
  let span = largestSpan

  const blockAt = async (number: number | 'latest'): Promise<Checkpoint | undefined> => {
    const tag = number === 'latest' ? number : `0x${number.toString(16)}`
    const block = await chain.request<Block | null>('eth_getBlockByNumber', [tag, false])
    return block === null ? undefined : { number: Number(block.number), hash: block.hash }
  }

  const isThere = async ({ number, hash }: Checkpoint) => (await blockAt(number))?.hash === hash

  /** Goes back to the newest known block that the chain still has, or to the start. */
  const forgetWhatIsGone = async () => {
    for (let last = checkpoints.at(-1); last !== undefined; last = checkpoints.at(-1)) {
      if (await isThere(last)) break
      checkpoints.pop()
    }
    store.dropAfter(checkpoints.at(-1)?.number ?? -1)
  }

  const readLogs = (from: number, to: number): Promise<readonly NodeLog[]> => {
    const [fromBlock, toBlock] = [`0x${from.toString(16)}`, `0x${to.toString(16)}`]
    return chain.request<NodeLog[]>('eth_getLogs', [{ address, fromBlock, toBlock }])
  }

  /** Reads the next blocks; false if the chain changed meanwhile. */
  const readNext = async (from: number, head: Checkpoint): Promise<boolean> => {
    const to = Math.min(from + span - 1, head.number)
    const end = to === head.number ? head : await blockAt(to)
    if (end === undefined) return false
    let logs: readonly NodeLog[]
    try {
      logs = await readLogs(from, to)
    } catch (error) {
      // Nodes limit the blocks or logs of a response, each with different wording.
      if (span === 1 || (from === to && error instanceof ChainRpcError)) throw error
      span = Math.max(1, Math.floor(span / 4))
      return true
    }
    const before = checkpoints.at(-1)
    const isSame = (await isThere(end)) && (before === undefined || (await isThere(before)))
    if (!isSame) return false
    span = Math.min(span * 2, largestSpan)
    for (const log of [...logs].sort(inOrder)) store.add(toIndexedLog(log))
    checkpoints.push(end)
    if (checkpoints.length > keptCheckpoints) checkpoints.shift()
    return true
  }

  const nextBlock = () => (checkpoints.at(-1)?.number ?? firstBlock - 1) + 1

  const refresh = async (): Promise<void> => {
    for (let attempt = 0; attempt < attempts; attempt++) {
      const head = await blockAt('latest')
      if (head === undefined || checkpoints.at(-1)?.hash === head.hash) return
      await forgetWhatIsGone()
      let isSame = true
      while (isSame && nextBlock() <= head.number) isSame = await readNext(nextBlock(), head)
      if (isSame) return
    }
  }

  let running: Promise<void> = Promise.resolve()
  let waiting: Promise<void> | undefined
  /** Runs one refresh at a time; callers that wait for the next one share it. */
  const upToDate = (): Promise<void> => {
    waiting ??= running
      .catch(() => {})
      .then(() => {
        waiting = undefined
        running = refresh()
        return running
      })
    return waiting
  }

  return {
    async logs() {
      await upToDate()
      return store.all
    },
    async logsOf(firstArgument) {
      await upToDate()
      return store.of(firstArgument)
    },
    async timeOf({ blockHash }) {
      const known = times.get(blockHash)
      if (known !== undefined) return known
      const block = await chain.request<Block | null>('eth_getBlockByHash', [blockHash, false])
      const time = Number(block?.timestamp ?? 0)
      if (times.size >= keptTimes) times.clear()
      if (block !== null) times.set(blockHash, time)
      return time
    },
  }
}

/** A log of the contract, as the chain has it now. */
export interface IndexedLog {
  readonly blockNumber: number
  readonly blockHash: string
  readonly transactionHash: string
  readonly logIndex: number
  readonly topics: readonly string[]
  readonly data: string
}

/** Logs in the order of the chain, indexed by their first argument. */
interface LogStore {
  readonly all: readonly IndexedLog[]
  /** The logs with this first indexed argument, 0x-hex of 32 bytes. */
  of(firstArgument: string): readonly IndexedLog[]
  /** Adds a log that comes after all present ones. */
  add(log: IndexedLog): void
  /** Drops the logs of later blocks than this one. */
  dropAfter(blockNumber: number): void
}

function createLogStore(): LogStore {
  const all: IndexedLog[] = []
  const byFirstArgument = new Map<string, IndexedLog[]>()
  const argumentOf = ({ topics }: IndexedLog) => topics[1] ?? ''
  return {
    all,
    of: (firstArgument) => byFirstArgument.get(firstArgument) ?? [],
    add(log) {
      const logs = byFirstArgument.get(argumentOf(log))
      if (logs === undefined) byFirstArgument.set(argumentOf(log), [log])
      else logs.push(log)
      all.push(log)
    },
    dropAfter(blockNumber) {
      for (let last = all.at(-1); last && last.blockNumber > blockNumber; last = all.at(-1)) {
        all.pop()
        const logs = byFirstArgument.get(argumentOf(last))
        logs?.pop()
        if (logs?.length === 0) byFirstArgument.delete(argumentOf(last))
      }
    },
  }
}

interface Block {
  readonly number: string
  readonly hash: string
  readonly timestamp: string
}

interface NodeLog {
  readonly blockNumber: string
  readonly blockHash: string
  readonly transactionHash: string
  readonly logIndex: string
  readonly topics: readonly string[]
  readonly data: string
}

interface Checkpoint {
  readonly number: number
  readonly hash: string
}

const largestSpan = 5000

const keptCheckpoints = 100

const keptTimes = 10_000

/** How often the chain may change during a read before the index uses what it has. */
const attempts = 5

function toIndexedLog(log: NodeLog): IndexedLog {
  const { blockHash, transactionHash, topics, data } = log
  const blockNumber = Number(log.blockNumber)
  return { blockNumber, blockHash, transactionHash, logIndex: Number(log.logIndex), topics, data }
}

function inOrder(one: NodeLog, other: NodeLog): number {
  return (
    Number(one.blockNumber) - Number(other.blockNumber) ||
    Number(one.logIndex) - Number(other.logIndex)
  )
}

/** An event of a registry's contract as the explorers show it. */
export const zChainEvent = z.object({
  event: z.string().describe('Name of the event in the contract'),
  args: z
    .record(z.string(), z.union([z.string(), z.boolean()]))
    .describe('Its arguments: numbers as decimal strings, bytes as 0x-hex'),
  blockNumber: z.int(),
  blockTime: z.int().describe('Unix seconds'),
  transactionHash: z.string(),
  logIndex: z.int(),
})

export type ChainEvent = z.infer<typeof zChainEvent>

/** Decodes logs and adds the times of their blocks; a log of an unknown event has no arguments. */
export function describeLogs(
  logs: readonly IndexedLog[],
  { events, decode }: { readonly events: EventIndex; readonly decode: EventDecoder },
): Promise<ChainEvent[]> {
  return Promise.all(
    logs.map(async (log): Promise<ChainEvent> => {
      const { blockNumber, transactionHash, logIndex } = log
      const { name, args } = decode(log) ?? { name: 'unknown', args: {} }
      const blockTime = await events.timeOf(log)
      return { event: name, args, blockNumber, blockTime, transactionHash, logIndex }
    }),
  )
}
