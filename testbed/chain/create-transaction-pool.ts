import { Transaction } from 'micro-eth-signer'
import { RpcError, rpcCodes } from './rpc-error.ts'

export interface PoolTransaction {
  readonly hash: string
  readonly from: string
  /** 0x-hex, as the node prints it. */
  readonly nonce: string
}

/** Accepted transactions that are not mined yet, by sender and nonce. */
export interface TransactionPool {
  readonly isEmpty: boolean
  add(transaction: PoolTransaction): void
  remove(hashes: readonly string[]): void
  clear(): void
  /** @throws RpcError if the sender already has a pending transaction with this nonce */
  refuseReplacement(raw: string): void
  /** Whether a sender's next nonce is present, so that a block would include a transaction. */
  hasExecutable(nextNonceOf: (address: string) => Promise<number>): Promise<boolean>
}

/** @throws RpcError if the transaction cannot be decoded */
export function decodeTransaction(raw: string) {
  try {
    return Transaction.fromHex(raw, false)
  } catch {
    throw new RpcError(rpcCodes.invalidParams, 'The raw transaction cannot be decoded.')
  }
}

/** The gateway's own copy of the node's memory pool. */
export function createTransactionPool(): TransactionPool {
  const senders = new Map<string, Map<number, string>>()
  return {
    get isEmpty() {
      return senders.size === 0
    },
    add({ from, nonce, hash }) {
      const waiting = senders.get(from) ?? new Map<number, string>()
      senders.set(from, waiting.set(Number(nonce), hash))
    },
    remove(hashes) {
      const gone = new Set(hashes)
      for (const [from, waiting] of senders) {
        for (const [nonce, hash] of waiting) if (gone.has(hash)) waiting.delete(nonce)
        if (waiting.size === 0) senders.delete(from)
      }
    },
    clear: () => senders.clear(),
    refuseReplacement(raw) {
      if (senders.size === 0) return
      const transaction = decodeTransaction(raw)
      const nonce = Number(transaction.raw.nonce)
      // Recovering the sender costs more than all other steps of accepting, so it runs only if it
      // matters.
      if (![...senders.values()].some((waiting) => waiting.has(nonce))) return
      const held = senders.get(transaction.sender.toLowerCase())?.get(nonce)
      if (held === undefined) return
      // An accepted transaction is never replaced: its client already has the hash.
      const known = held.slice(2) === transaction.hash.replace(/^0x/, '')
      throw new RpcError(
        rpcCodes.transactionRefused,
        known ? 'already known' : 'replacement transaction underpriced',
      )
    },
    async hasExecutable(nextNonceOf) {
      for (const [from, waiting] of senders) {
        if (waiting.has(await nextNonceOf(from))) return true
      }
      return false
    },
  }
}
