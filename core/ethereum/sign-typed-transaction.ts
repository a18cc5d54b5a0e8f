import { Transaction } from 'micro-eth-signer'
import type { UnsignedTransaction } from './z-unsigned-transaction.ts'

export interface TypedSignature {
  /** The serialized transaction as 0x-hex; its first byte is its type. */
  readonly raw: string
  readonly r: string
  readonly s: string
  /** The parity, 0x0 or 0x1. */
  readonly v: string
}

/**
 * Signs with a private key (0x-hex), deterministically, as a typed transaction (EIP-2718): 1 with an
 * access list, which is empty (EIP-2930), 2 with a fee market (EIP-1559), where the gas price is both
 * fees.
 */
export function signTypedTransaction(
  { to, data, nonce, chainId, gasLimit, gasPrice, value }: UnsignedTransaction,
  type: 1 | 2,
  privateKey: string,
): TypedSignature {
  const price = BigInt(gasPrice)
  const common = {
    to,
    data,
    nonce: BigInt(nonce),
    chainId: BigInt(chainId),
    gasLimit: BigInt(gasLimit),
    value: BigInt(value),
    accessList: [],
  }
  const prepared =
    type === 1
      ? Transaction.prepare({ type: 'eip2930', ...common, gasPrice: price }, false)
      : Transaction.prepare(
          { type: 'eip1559', ...common, maxFeePerGas: price, maxPriorityFeePerGas: price },
          false,
        )
  const signed = prepared.signBy(privateKey, false)
  const { r = 0n, s = 0n, yParity = 0 } = signed.raw as unknown as Record<string, bigint | number>
  const word = (value: bigint | number) => `0x${value.toString(16).padStart(64, '0')}`
  return { raw: signed.toHex(), r: word(r), s: word(s), v: `0x${yParity.toString(16)}` }
}
