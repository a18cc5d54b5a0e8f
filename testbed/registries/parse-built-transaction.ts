import {
  type UnsignedTransaction,
  zUnsignedTransaction,
} from '#core/ethereum/z-unsigned-transaction.ts'
import { registryRefused } from './registry-errors.ts'

/**
 * Reads what a registry has built. Its value is 0 (document 2, Unsigned transaction): one that would
 * pay somebody is never signed, as the registry may be anybody's.
 * @param what the operation, for the error
 * @throws TestbedError `registry_refused`
 */
export function parseBuiltTransaction(what: string, answer: unknown): UnsignedTransaction {
  const transaction = zUnsignedTransaction.safeParse(answer)
  if (!transaction.success) {
    throw registryRefused(what, 'the registry answered no unsigned transaction')
  }
  if (BigInt(transaction.data.value) !== 0n) {
    throw registryRefused(what, 'the registry built a transaction that pays somebody')
  }
  return transaction.data
}
