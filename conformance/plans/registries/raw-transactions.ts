import { secp256k1 } from '@noble/curves/secp256k1.js'
import { keccak_256 } from '@noble/hashes/sha3.js'
import { toHex } from '#core/ethereum/account.ts'
import { signTypedTransaction, type UnsignedTransaction } from '#core/ethereum/transaction.ts'

/**
 * Signs a transaction of a DID registry, as type 0x01. The profile names only transactions with the
 * prefix of their type, so a registry may reject legacy ones.
 */
export const signTyped = (transaction: UnsignedTransaction, privateKey: string): string =>
  signTypedTransaction(transaction, 1, privateKey).raw

/** A value that RLP encodes: bytes, or a list of values. */
type RlpValue = Uint8Array | readonly RlpValue[]

/** The bytes of a number without leading zeros; zero has none. */
const numberBytes = (value: bigint): Uint8Array =>
  value === 0n ? Buffer.alloc(0) : evenHex(value.toString(16))

const evenHex = (hex: string): Uint8Array =>
  Buffer.from(hex.length % 2 === 0 ? hex : `0${hex}`, 'hex')

/** Encodes a value in RLP, the serialization of Ethereum. */
function encodeRlp(value: RlpValue): Uint8Array {
  if (value instanceof Uint8Array) {
    const [first] = value
    if (value.length === 1 && first !== undefined && first < 0x80) return value
    return Buffer.concat([lengthPrefix(value.length, 0x80), value])
  }
  const items = Buffer.concat(value.map(encodeRlp))
  return Buffer.concat([lengthPrefix(items.length, 0xc0), items])
}

function lengthPrefix(length: number, offset: number): Uint8Array {
  if (length < 56) return Buffer.of(offset + length)
  const bytes = numberBytes(BigInt(length))
  return Buffer.concat([Buffer.of(offset + 55 + bytes.length), bytes])
}

/** The members of a legacy transaction, before and after its signature is changed. */
export interface LegacyTransaction {
  readonly unsigned: UnsignedTransaction
  readonly privateKey: string
}

/** The signature of a legacy transaction in its raw form. */
export interface LegacySignature {
  readonly v: bigint
  readonly r: bigint
  readonly s: bigint
}

/** The order of the curve secp256k1. */
export const curveOrder = secp256k1.Point.Fn.ORDER

const fieldsOf = ({
  nonce,
  gasPrice,
  gasLimit,
  to,
  value,
  data,
}: UnsignedTransaction): Uint8Array[] => [
  numberBytes(BigInt(nonce)),
  numberBytes(BigInt(gasPrice)),
  numberBytes(BigInt(gasLimit)),
  evenHex(to.slice(2)),
  numberBytes(BigInt(value)),
  evenHex(data.slice(2)),
]

/** An unsigned legacy transaction in its raw form, as a signer hashes it with its chain (EIP-155). */
export function serializeUnsigned(unsigned: UnsignedTransaction): string {
  const replayProtection = [BigInt(unsigned.chainId), 0n, 0n].map(numberBytes)
  return toHex(encodeRlp([...fieldsOf(unsigned), ...replayProtection]))
}

/**
 * Signs a legacy transaction and serializes it with a changed signature: what careless signers and
 * attackers send, and no library creates.
 * @param isBound whether the signature names the chain (EIP-155); without, it is valid on each chain
 * @param isPadded whether the gas price begins with a zero byte, which RLP forbids
 */
export function signLegacy(
  { unsigned, privateKey }: LegacyTransaction,
  {
    isBound = true,
    isPadded = false,
    change = (signature) => signature,
  }: {
    readonly isBound?: boolean
    readonly isPadded?: boolean
    readonly change?: (signature: LegacySignature) => LegacySignature
  } = {},
): string {
  const chainId = BigInt(unsigned.chainId)
  const fields = fieldsOf(unsigned)
  const bound = isBound ? [chainId, 0n, 0n].map(numberBytes) : []
  const digest = keccak_256(encodeRlp([...fields, ...bound]))
  const key = Buffer.from(privateKey.slice(2), 'hex')
  const signed = secp256k1.sign(digest, key, { prehash: false, format: 'recovered' })
  const parity = BigInt(signed[0] ?? 0)
  const [r, s] = [signed.subarray(1, 33), signed.subarray(33)].map((bytes) =>
    BigInt(toHex(bytes)),
  ) as [bigint, bigint]
  const signature = change({ v: (isBound ? chainId * 2n + 35n : 27n) + parity, r, s })
  const [nonce = Buffer.alloc(0), gasPrice = Buffer.alloc(0), ...rest] = fields
  const padded = [nonce, Buffer.concat([Buffer.alloc(1), gasPrice]), ...rest]
  const written = [signature.v, signature.r, signature.s].map(numberBytes)
  return toHex(encodeRlp([...(isPadded ? padded : fields), ...written]))
}

/** A transaction of type 0x01 with a possible r, and an s beyond the order of the curve. */
export function serializeWithoutSigner(transaction: UnsignedTransaction): string {
  const { x: r } = secp256k1.Point.BASE.toAffine()
  const signature = [0n, r, 2n ** 256n - 1n].map(numberBytes)
  const chainId = numberBytes(BigInt(transaction.chainId))
  const members = [chainId, ...fieldsOf(transaction), [], ...signature]
  return toHex(Buffer.concat([Buffer.of(1), encodeRlp(members)]))
}

/** The other valid signature of the same signer over the same transaction (EIP-2). */
export function withHighS({ v, r, s }: LegacySignature): LegacySignature {
  // The parity is the last bit of v - 27 and of v - 35 - 2 * chainId: both are odd numbers.
  return { v: v % 2n === 1n ? v + 1n : v - 1n, r, s: curveOrder - s }
}
