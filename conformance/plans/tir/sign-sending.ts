import { signTransaction, type UnsignedTransaction } from '#core/ethereum/transaction.ts'

/** params[0] of sendSignedTransaction. */
export interface Sending {
  readonly protocol: string
  readonly unsignedTransaction: UnsignedTransaction
  readonly r: string
  readonly s: string
  readonly v: string
  readonly signedRawTransaction: string
}

/** Signs a transaction as sendSignedTransaction takes it. */
export function signSending(unsignedTransaction: UnsignedTransaction, privateKey: string): Sending {
  const { raw, r, s, v } = signTransaction(unsignedTransaction, privateKey)
  return { protocol: 'eth', unsignedTransaction, r, s, v, signedRawTransaction: raw }
}
