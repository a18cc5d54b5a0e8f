import { keccak_256 } from '@noble/hashes/sha3.js'
import { Transaction } from 'micro-eth-signer'
import { recover, signRecoverable } from 'tiny-secp256k1'
import { z } from 'zod'
import { TestbedError } from '#core/errors/testbed-error.ts'
import {
  addressOfPublicKey,
  highestS,
  signerOf,
  toHex,
  zAddress,
  zHexBytes,
  zHexQuantity,
} from './account.ts'

/**
 * The transaction that the registries build and clients sign (profile/transactions, Unsigned
 * transaction).
 *
 * @row 2.resources-and-their-fields/unsigned-transaction.1..9
 */
export const zUnsignedTransaction = z.object({
  to: zAddress.describe('Address of the registry contract'),
  data: zHexBytes.describe('Call data'),
  gasLimit: zHexQuantity,
  gasPrice: zHexQuantity,
  chainId: zHexQuantity,
  nonce: zHexQuantity,
  value: zHexQuantity,
  from: zAddress.describe('Address of the signer'),
})

export type UnsignedTransaction = z.infer<typeof zUnsignedTransaction>

/** A transaction to sign: from a registry (the profile), or without `to` for a deployment. */
export interface TransactionToSign {
  readonly from: string
  readonly to?: string
  readonly data: string
  readonly nonce: string
  readonly chainId: string
  readonly gasLimit: string
  readonly gasPrice: string
  readonly value: string
}

/**
 * A signature with its transaction, in the form of sendSignedTransaction (profile/tir, JSON-RPC).
 */
export interface TransactionSignature {
  /** The serialized transaction as 0x-hex. */
  readonly raw: string
  readonly r: string
  readonly s: string
  /** 27 or 28, as 0x-hex. */
  readonly v: string
}

/**
 * Signs a transaction with a private key (0x-hex) as an EIP-155 legacy transaction, deterministically.
 * @throws TestbedError `wrong_signer` if the key does not belong to `from`
 */
export function signTransaction(
  unsigned: TransactionToSign,
  privateKey: string,
): TransactionSignature {
  const { address } = signerOf(privateKey)
  if (address.toLowerCase() !== unsigned.from.toLowerCase()) {
    throw new TestbedError({
      code: 'wrong_signer',
      status: 400,
      message: `The key belongs to ${address}, but the transaction is from ${unsigned.from}.`,
      hints: ['Sign with the key of `from`, or build the transaction for this key.'],
    })
  }
  const { to = '0x', data, nonce, chainId, gasLimit, gasPrice, value } = unsigned
  const transaction = Transaction.prepare(
    {
      type: 'legacy',
      to,
      data,
      nonce: BigInt(nonce),
      chainId: BigInt(chainId),
      gasLimit: BigInt(gasLimit),
      gasPrice: BigInt(gasPrice),
      value: BigInt(value),
    },
    false,
  )
  const { signature, recoveryId } = signRecoverable(
    keccak_256(transaction.toBytes({ includeSignature: false })),
    Buffer.from(privateKey.slice(2), 'hex'),
  )
  const [r = '', s = ''] = Buffer.from(signature).toString('hex').match(/.{64}/g) ?? []
  const signed = new Transaction(
    'legacy',
    { ...transaction.raw, r: BigInt(`0x${r}`), s: BigInt(`0x${s}`), yParity: recoveryId },
    { strict: false },
  )
  return {
    raw: signed.toHex(),
    r: `0x${r}`,
    s: `0x${s}`,
    v: `0x${(27 + recoveryId).toString(16)}`,
  }
}

export interface TypedSignature {
  /** The serialized transaction as 0x-hex; its first byte is its type. */
  readonly raw: string
  readonly r: string
  readonly s: string
  /** The parity, 0x0 or 0x1. */
  readonly v: string
}

/** An account and its slots (0x and 64 hex digits) that a transaction will use. */
interface AccessListEntry {
  readonly address: string
  readonly storageKeys: string[]
}

/**
 * Signs with a private key (0x-hex), deterministically, as a typed transaction (EIP-2718): 1 with an
 * access list (EIP-2930), 2 also with a fee market (EIP-1559), where the gas price is both fees.
 */
export function signTypedTransaction(
  {
    to,
    data,
    nonce,
    chainId,
    gasLimit,
    gasPrice,
    value,
    accessList = [],
  }: UnsignedTransaction & { readonly accessList?: AccessListEntry[] },
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
    accessList,
  }
  const prepared =
    type === 1
      ? Transaction.prepare({ type: 'eip2930', ...common, gasPrice: price }, false)
      : Transaction.prepare(
          { type: 'eip1559', ...common, maxFeePerGas: price, maxPriorityFeePerGas: price },
          false,
        )
  const signed = prepared.signBy(privateKey, false)
  const { r = 0n, s = 0n, yParity = 0 }: { r?: bigint; s?: bigint; yParity?: number } = signed.raw
  const word = (value: bigint | number) => `0x${value.toString(16).padStart(64, '0')}`
  return { raw: signed.toHex(), r: word(r), s: word(s), v: `0x${yParity.toString(16)}` }
}

/** A signed transaction: legacy, of type 0x01 (EIP-2930) or of type 0x02 (EIP-1559). */
export interface SignedTransaction {
  readonly type: 'legacy' | 'eip2930' | 'eip1559'
  readonly hash: string
  /** The signer's address with its checksum, recovered from the signature. */
  readonly from: string
  /** The receiver's address; 0x if the transaction creates a contract. */
  readonly to: string
  /** 0x-hex in lower case. */
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
  const fields = decoded.raw as Fields
  try {
    const transaction: SignedTransaction = {
      type,
      hash: decoded.hash,
      from: recoverSender(decoded.toBytes({ includeSignature: false }), fields),
      to: fields.to,
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

/** Recovers the signer's address. Throws if the signature is invalid. */
function recoverSender(message: Uint8Array, { r, s, yParity }: Fields): string {
  if (s > highestS) throw new TypeError('s is too high')
  const words = [r, s].map((word) => word.toString(16).padStart(64, '0')).join('')
  const publicKey = recover(
    keccak_256(message),
    Buffer.from(words, 'hex'),
    yParity === 1 ? 1 : 0,
    false,
  )
  if (publicKey === null) throw new TypeError('no key matches the signature')
  return addressOfPublicKey(toHex(publicKey))
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
