import { z } from 'zod'
import type { EventDecoder } from '#core/ethereum/abi.ts'
import { type ChainClient, ChainRpcError } from '#kit/chain-client.ts'

export interface EventIndexOptions {
  readonly chain: ChainClient
  /** Address of the contract. */
  readonly address: string
  /** The first block that can hold a log of the contract. */
  readonly firstBlock: number
}

export interface EventIndex {
  /** All logs of the contract up to the chain's head, oldest first. */
  logs(): Promise<readonly IndexedLog[]>
  /** Those whose first indexed argument is this one, 0x-hex of 32 bytes; oldest first. */
  logsOf(firstArgument: string): Promise<readonly IndexedLog[]>
  /** Unix seconds of the block that holds the log. */
  timeOf(log: IndexedLog): Promise<number>
}

/**
 * Follows the logs of a contract: each question asks the chain only for the blocks since the last
 * one. Where the chain is not the one that was read (a restored snapshot, a reorganization), what no
 * longer holds is dropped and read anew. It is kept in memory, since the chain has it all.
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

  /** Goes back to the newest block that the chain still has; all of it where it has none. */
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

  /** Reads the next blocks; false where the chain changed meanwhile. */
  const readNext = async (from: number, head: Checkpoint): Promise<boolean> => {
    const to = Math.min(from + span - 1, head.number)
    const end = to === head.number ? head : await blockAt(to)
    if (end === undefined) return false
    let logs: readonly NodeLog[]
    try {
      logs = await readLogs(from, to)
    } catch (error) {
      // Nodes limit how many blocks or logs an answer may have, each in its own words.
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
  /** Refreshes one after the other; whoever waits for the next one shares it. */
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
      return [...store.all]
    },
    async logsOf(firstArgument) {
      await upToDate()
      return [...store.of(firstArgument)]
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

/** Logs in the order of the chain, with those of one first argument at hand. */
interface LogStore {
  readonly all: readonly IndexedLog[]
  /** Those whose first indexed argument is this one, 0x-hex of 32 bytes. */
  of(firstArgument: string): readonly IndexedLog[]
  /** Adds a log that comes after all that are there. */
  add(log: IndexedLog): void
  /** Drops what lies in later blocks than this one. */
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

/** How often a chain may change under the reader before it makes do with what it has. */
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
    .describe('Its arguments: numbers as decimal text, bytes as 0x-hex'),
  blockNumber: z.int(),
  blockTime: z.int().describe('Unix seconds'),
  transactionHash: z.string(),
  logIndex: z.int(),
})

export type ChainEvent = z.infer<typeof zChainEvent>

/** Decodes logs and adds the times of their blocks; logs of no known event have no arguments. */
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
