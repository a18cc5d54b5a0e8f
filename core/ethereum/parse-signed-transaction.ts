import { keccak_256 } from '@noble/hashes/sha3.js'
import { Transaction } from 'micro-eth-signer'
import { recover } from 'tiny-secp256k1'
import { addressOfPublicKey } from '../crypto/ethereum-address.ts'

/** A signed transaction: legacy, of type 0x01 (EIP-2930) or of type 0x02 (EIP-1559). */
export interface SignedTransaction {
  readonly type: 'legacy' | 'eip2930' | 'eip1559'
  readonly hash: string
  /** The signer's address with its checksum, recovered from the signature. */
  readonly from: string
  /** Undefined where the transaction creates a contract. */
  readonly to: string | undefined
  /** 0x-hex in small letters. */
  readonly data: string
  readonly nonce: bigint
  /** Undefined for a legacy transaction from before EIP-155, which is valid on every chain. */
  readonly chainId: bigint | undefined
  readonly gasLimit: bigint
  /** The highest price in wei that the signer pays for a unit of gas. */
  readonly maxFeePerGas: bigint
  readonly value: bigint
  readonly hasAccessList: boolean
  readonly r: bigint
  readonly s: bigint
  readonly yParity: number
}

export type SignedTransactionResult =
  | { readonly ok: true; readonly transaction: SignedTransaction }
  | { readonly ok: false; readonly reason: 'undecodable' | 'invalid_signature' }

const types = ['legacy', 'eip2930', 'eip1559'] as const

/**
 * Decodes a signed raw transaction in 0x-hex (EIP-2718) and recovers its signer. Types of later
 * forks count as undecodable. Never throws.
 */
export function parseSignedTransaction(raw: string): SignedTransactionResult {
  const decoded = decode(raw)
  const type = types.find((known) => known === decoded?.type)
  if (!decoded?.isSigned || type === undefined) return { ok: false, reason: 'undecodable' }
  // The decoder's type is a union over all transaction types; these members are those of the three.
  const fields = decoded.raw as unknown as Fields
  try {
    const transaction: SignedTransaction = {
      type,
      hash: decoded.hash,
      from: recoverSender(decoded.toBytes({ includeSignature: false }), fields),
      to: /^0x[0-9a-fA-F]{40}$/.test(fields.to) ? fields.to : undefined,
      data: fields.data.toLowerCase(),
      nonce: fields.nonce,
      chainId: fields.chainId,
      gasLimit: fields.gasLimit,
      maxFeePerGas: fields.maxFeePerGas ?? fields.gasPrice ?? 0n,
      value: fields.value,
      hasAccessList: (fields.accessList?.length ?? 0) > 0,
      r: fields.r,
      s: fields.s,
      yParity: fields.yParity,
    }
    return { ok: true, transaction }
  } catch {
    return { ok: false, reason: 'invalid_signature' }
  }
}

// EIP-2, section 1: of the two values of s that fit a signature the high one is refused.
const highestS = 0x7fffffffffffffffffffffffffffffff5d576e7357a4501ddfe92f46681b20a0n

/** The signer's address. Throws where the signature is none. */
function recoverSender(message: Uint8Array, { r, s, yParity }: Fields): string {
  if (s > highestS) throw new TypeError('s is too high')
  const words = [r, s].map((word) => word.toString(16).padStart(64, '0')).join('')
  const publicKey = recover(
    keccak_256(message),
    Buffer.from(words, 'hex'),
    yParity === 1 ? 1 : 0,
    false,
  )
  if (publicKey === null) throw new TypeError('no key fits the signature')
  return addressOfPublicKey(`0x${Buffer.from(publicKey).toString('hex')}`)
}

interface Fields {
  readonly to: string
  readonly data: string
  readonly nonce: bigint
  readonly chainId?: bigint
  readonly gasLimit: bigint
  readonly gasPrice?: bigint
  readonly maxFeePerGas?: bigint
  readonly value: bigint
  readonly accessList?: readonly unknown[]
  readonly r: bigint
  readonly s: bigint
  readonly yParity: number
}

function decode(raw: string) {
  if (!/^0x(?:[0-9a-fA-F]{2})+$/.test(raw)) return undefined
  try {
    return Transaction.fromHex(raw)
  } catch {
    return undefined
  }
}
