import type { Journal, JournalEntry } from './journal.ts'
import { RpcError, rpcCodes } from './rpc-error.ts'

/**
 * Writes the journal, if there is one, and recovers from a full disk: what is missing is written
 * before anything else.
 */
export function createJournalWriter(journal: Journal | undefined) {
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

export type JournalWriter = ReturnType<typeof createJournalWriter>
