import { z } from 'zod'

/**
 * An account address: 0x and 40 hex digits, in whatever case (Document 2, Types used in the TIR).
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
  .regex(/^0x[0-9a-fA-F]{1,64}$/, 'must be a number as 0x followed by hex characters')

/** 32 bytes, such as the hash of a transaction. */
export const zHash = z
  .string()
  .regex(/^0x[0-9a-fA-F]{64}$/, 'must be 0x followed by 64 hex characters')

/** A number as the Ethereum JSON-RPC writes it: 0x and hex digits without leading zeros. */
export function toQuantity(value: bigint | number): `0x${string}` {
  return `0x${value.toString(16)}`
}
