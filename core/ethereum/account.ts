import { keccak_256 } from '@noble/hashes/sha3.js'
import { z } from 'zod'
import { type PublicJwk, privateJwkFromHex, publicKeyHexOf } from '#core/crypto/jwk.ts'

/** EIP-2, section 1: of the two valid values of s in a signature, the high value is rejected. */
export const highestS = 0x7fffffffffffffffffffffffffffffff5d576e7357a4501ddfe92f46681b20a0n

/**
 * Returns the account address of a secp256k1 public key, with the mixed-case checksum of EIP-55.
 * Takes the key as a JWK or as 0x04, X and Y in hex. Throws a TypeError for anything else.
 */
export function addressOfPublicKey(publicKey: PublicJwk | string): `0x${string}` {
  const hex = typeof publicKey === 'string' ? publicKey : publicKeyHexOf(publicKey)
  if (!/^0x04[0-9a-fA-F]{128}$/.test(hex)) throw new TypeError('not an uncompressed public key')
  const hash = keccak_256(Buffer.from(hex.slice(4), 'hex'))
  return checksumAddress(toHex(hash.subarray(12)))
}

/**
 * Writes an address with the mixed-case checksum of EIP-55. Throws a TypeError for an invalid
 * address.
 */
export function checksumAddress(address: string): `0x${string}` {
  if (!/^0x[0-9a-fA-F]{40}$/.test(address)) throw new TypeError('not an address')
  const digits = address.slice(2).toLowerCase()
  const hash = Buffer.from(keccak_256(Buffer.from(digits))).toString('hex')
  const mixed = [...digits].map((digit, index) =>
    Number.parseInt(hash.charAt(index), 16) >= 8 ? digit.toUpperCase() : digit,
  )
  return `0x${mixed.join('')}`
}

/** An account that pays nothing and signs: address (EIP-55) and private key as 0x-hex. */
export interface Signer {
  readonly address: string
  readonly privateKey: string
}

/** Returns the account of a private key (0x-hex). Throws a TypeError for an invalid key. */
export function signerOf(privateKey: string): Signer {
  return { privateKey, address: addressOfPublicKey(privateJwkFromHex(privateKey)) }
}

/**
 * The address of the contract that a transaction of an account creates (EIP-55): the last 20 bytes
 * of keccak256(RLP([address, nonce])). Throws a TypeError for an invalid address, or a nonce of 128
 * or more, which RLP writes in several bytes.
 */
export function createdContractAddress(account: string, nonce: number): `0x${string}` {
  if (!(nonce >= 0 && nonce < 0x80)) throw new TypeError('the nonce must be below 128')
  const sender = Buffer.from(checksumAddress(account).slice(2), 'hex')
  const encoded = Buffer.concat([Buffer.of(0xd6, 0x94), sender, Buffer.of(nonce || 0x80)])
  return checksumAddress(toHex(keccak_256(encoded).subarray(12)))
}

/**
 * An account address: 0x and 40 hex digits, in upper or lower case (profile/tir, Types).
 *
 * @row 2.resources-and-their-fields/types-used-in-the-tir.1
 */
export const zAddress = z
  .string()
  .regex(/^0x[0-9a-fA-F]{40}$/, 'must be an address: 0x followed by 40 hex characters')

/**
 * Bytes: 0x and pairs of hex digits.
 *
 * @row 2.resources-and-their-fields/types-used-in-the-tir.2
 */
export const zHexBytes = z
  .string()
  .regex(/^0x(?:[0-9a-fA-F]{2})*$/, 'must be 0x followed by pairs of hex characters')

/** A number: 0x and hex digits, of at most 256 bits. */
export const zHexQuantity = z
  .string()
  .regex(/^0x[0-9a-fA-F]{1,64}$/, 'must be a number as 0x followed by 1 to 64 hex characters')

/** 32 bytes, such as the hash of a transaction. */
export const zHash = z
  .string()
  .regex(/^0x[0-9a-fA-F]{64}$/, 'must be 0x followed by 64 hex characters')

/** Formats bytes for the Ethereum JSON-RPC: 0x and pairs of hex digits. */
export function toHex(bytes: Uint8Array): `0x${string}` {
  return `0x${Buffer.from(bytes).toString('hex')}`
}

/** Formats a number for the Ethereum JSON-RPC: 0x and hex digits without leading zeros. */
export function toQuantity(value: bigint | number): `0x${string}` {
  return `0x${value.toString(16)}`
}
