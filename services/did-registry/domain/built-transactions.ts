import { digest } from '#kit/secrets.ts'

/** The transactions that the API built, with their signers. */
export interface BuiltTransactions {
  /** Records that this transaction was built; `now` in Unix seconds. */
  remember(transaction: BuiltTransaction, now: number): void
  /** Whether it was built for this signer; true for an unknown transaction. */
  mayBeSignedBy(transaction: BuiltTransaction, now: number): boolean
  /** Saves the current entries, to restore them later. */
  save(): { restore(): void }
}

export interface BuiltTransaction {
  readonly from: string
  readonly to: string
  readonly data: string
  readonly nonce: bigint
}

interface Entry {
  /** Undefined if it was built for too many signers: any of them may sign it. */
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
 * Stores the hashes of built transactions for `lifetime` seconds, up to `limit` (the oldest are
 * dropped), in less than 2 kB each, regardless of their size. They only help a client that signs
 * with the wrong key; the chain decides.
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
      // Deleted first, so that the order of the map is that of the last use.
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
