import { Transaction } from 'micro-eth-signer'
import { RpcError, rpcCodes } from './rpc-error.ts'

export interface PoolTransaction {
  readonly hash: string
  readonly from: string
  /** 0x-hex, as the node prints it. */
  readonly nonce: string
  /** Call data, 0x-hex. */
  readonly input: string
}

/** Accepted transactions that a pool holds at most: their number, and bytes of call data. */
interface Limit {
  readonly transactions: number
  readonly bytes: number
}

/** While blocks are mined on request only. */
const largestPool: Limit = { transactions: 4096, bytes: 64 * 1024 * 1024 }

/** Beyond this, only transactions that the next block can include are added. */
const largestWait: Limit = { transactions: 256, bytes: 8 * 1024 * 1024 }

/** Accepted transactions that are not mined yet, by sender and nonce. */
export interface TransactionPool {
  readonly isEmpty: boolean
  /**
   * Adds an accepted transaction.
   * @throws RpcError if the pool is full; or if it holds many, and the sender's previous
   * transaction is missing
   */
  admit(transaction: PoolTransaction): Promise<void>
  /** Adds a transaction that was admitted before. */
  add(transaction: PoolTransaction): void
  remove(hashes: readonly string[]): void
  clear(): void
  /** @throws RpcError if the sender already has a pending transaction with this nonce */
  refuseReplacement(raw: string): void
  /** Whether a sender's next nonce is present, so that a block would include a transaction. */
  hasExecutable(): Promise<boolean>
}

/** Returns the number of an address's mined transactions. */
type NonceReader = (address: string) => Promise<number>

/** @throws RpcError if the transaction cannot be decoded */
export function decodeTransaction(raw: string) {
  try {
    return Transaction.fromHex(raw, false)
  } catch {
    throw new RpcError(rpcCodes.invalidParams, 'The raw transaction cannot be decoded.')
  }
}

/** The gateway's own copy of the node's memory pool. */
export function createTransactionPool(nextNonceOf: NonceReader): TransactionPool {
  const senders = new Map<string, Map<number, string>>()
  const held = new Map<string, { readonly from: string; readonly nonce: number; bytes: number }>()
  /** Senders whose next nonce may be present: those that changed since they were looked at. */
  const changed = new Set<string>()
  let bytes = 0

  const exceeds = (limit: Limit) => held.size >= limit.transactions || bytes >= limit.bytes

  const add = ({ from, nonce, hash, input }: PoolTransaction) => {
    const waiting = senders.get(from) ?? new Map<number, string>()
    senders.set(from, waiting.set(Number(nonce), hash))
    held.set(hash, { from, nonce: Number(nonce), bytes: input.length / 2 })
    bytes += input.length / 2
    changed.add(from)
  }

  return {
    get isEmpty() {
      return senders.size === 0
    },
    add,
    async admit(transaction) {
      if (exceeds(largestPool)) {
        throw new RpcError(rpcCodes.limitExceeded, 'The pool is full. Wait for the next block.')
      }
      if (exceeds(largestWait)) {
        const { from } = transaction
        let nonce = await nextNonceOf(from)
        while (senders.get(from)?.has(nonce)) nonce += 1
        if (nonce !== Number(transaction.nonce)) {
          throw new RpcError(
            rpcCodes.limitExceeded,
            `Too many transactions are waiting for a lower nonce. Send the one with nonce ${nonce} first.`,
          )
        }
      }
      add(transaction)
    },
    remove(hashes) {
      for (const hash of hashes) {
        const gone = held.get(hash)
        if (gone === undefined) continue
        const { from, nonce } = gone
        held.delete(hash)
        bytes -= gone.bytes
        const waiting = senders.get(from)
        waiting?.delete(nonce)
        changed.add(from)
        if (waiting?.size === 0) senders.delete(from)
      }
    },
    clear() {
      senders.clear()
      held.clear()
      changed.clear()
      bytes = 0
    },
    refuseReplacement(raw) {
      if (senders.size === 0) return
      const transaction = decodeTransaction(raw)
      const nonce = Number(transaction.raw.nonce)
      // Recovering the sender costs more than all other steps of accepting, so it runs only if it
      // matters.
      if (![...senders.values()].some((waiting) => waiting.has(nonce))) return
      const present = senders.get(transaction.sender.toLowerCase())?.get(nonce)
      if (present === undefined) return
      // An accepted transaction is never replaced: its client already has the hash.
      const known = present.slice(2) === transaction.hash.replace(/^0x/, '')
      throw new RpcError(
        rpcCodes.transactionRefused,
        known ? 'already known' : 'replacement transaction underpriced',
      )
    },
    async hasExecutable() {
      for (const from of changed) {
        if (senders.get(from)?.has(await nextNonceOf(from))) return true
        changed.delete(from)
      }
      return false
    },
  }
}
