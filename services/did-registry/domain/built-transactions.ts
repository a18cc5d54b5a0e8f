import { digest } from '#kit/secrets.ts'

/** Remembers for whom the API built which transaction. */
export interface BuiltTransactions {
  /** Notes that this transaction was built; `now` in Unix seconds. */
  remember(transaction: BuiltTransaction, now: number): void
  /** Whether the signer is one of those for whom it was built; true for one that is not known. */
  mayBeSignedBy(transaction: BuiltTransaction, now: number): boolean
  /** What is remembered now, to be put back later. */
  save(): { restore(): void }
}

export interface BuiltTransaction {
  readonly from: string
  readonly to: string
  readonly data: string
  readonly nonce: bigint
}

interface Entry {
  /** Undefined where it was built for too many: any of them may sign it. */
  signers: Set<string> | undefined
  validUntil: number
}

const mostSigners = 8

const copyEntries = (entries: ReadonlyMap<string, Entry>): Map<string, Entry> =>
  new Map(
    [...entries].map(([key, { signers, validUntil }]) => [
      key,
      { signers: signers && new Set(signers), validUntil },
    ]),
  )

/**
 * Keeps the hashes of built transactions for `lifetime` seconds and at most `limit` of them, the
 * oldest going first: less than 2 kB each, whatever their size. They help a client that signs with
 * the wrong key and nothing else: the chain judges.
 *
 * @assumption A-11
 * @assumption A-50
 */
export function createBuiltTransactions(options: {
  readonly lifetime: number
  readonly limit: number
}): BuiltTransactions {
  let entries = new Map<string, Entry>()
  const keyOf = ({ to, data, nonce }: BuiltTransaction) =>
    digest(`${to}|${nonce}|${data}`.toLowerCase())

  return {
    remember(transaction, now) {
      const key = keyOf(transaction)
      const known = entries.get(key)
      const isValid = known !== undefined && known.validUntil >= now
      const signers = isValid ? known.signers : new Set<string>()
      signers?.add(transaction.from.toLowerCase())
      // Deleted first, so that the map's order is that of the last use.
      entries.delete(key)
      entries.set(key, {
        signers: signers !== undefined && signers.size > mostSigners ? undefined : signers,
        validUntil: now + options.lifetime,
      })
      for (const [oldest, { validUntil }] of entries) {
        if (entries.size <= options.limit && validUntil >= now) break
        entries.delete(oldest)
      }
    },
    mayBeSignedBy(transaction, now) {
      const known = entries.get(keyOf(transaction))
      if (known === undefined || known.validUntil < now) return true
      return known.signers?.has(transaction.from.toLowerCase()) ?? true
    },
    save() {
      const before = copyEntries(entries)
      return {
        restore() {
          entries = copyEntries(before)
        },
      }
    },
  }
}
