import { gzipSync } from 'node:zlib'

/** Fewest entries of a list, so that fetching one says little about whom (Bitstring Status List 1.0). */
export const fewestEntries = 131_072

/** How a list is written: `u` for multibase base64url first (Bitstring Status List), or without it. */
export type StatusListEncoding = 'multibase' | 'base64url'

/**
 * Compresses a list to the text of `encodedList`. Entry 0 is the most significant bit of byte 0.
 * The bytes are the same on every system: gzip carries no name, no time, and no system's mark.
 */
export function encodeBitstring(
  bits: Uint8Array,
  encoding: StatusListEncoding = 'multibase',
): string {
  const compressed = gzipSync(bits)
  // RFC 1952, 2.3: byte 9 names the operating system; 255 is unknown.
  compressed[9] = 255
  return `${encoding === 'multibase' ? 'u' : ''}${compressed.toString('base64url')}`
}
