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
export interface LogStore {
  readonly all: readonly IndexedLog[]
  /** Those whose first indexed argument is this one, 0x-hex of 32 bytes. */
  of(firstArgument: string): readonly IndexedLog[]
  /** Adds a log that comes after all that are there. */
  add(log: IndexedLog): void
  /** Drops what lies in later blocks than this one. */
  dropAfter(blockNumber: number): void
}

export function createLogStore(): LogStore {
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
