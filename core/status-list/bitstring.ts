import { gunzipSync, gzipSync } from 'node:zlib'
import { decodeBase64url } from '#core/crypto/base64url.ts'
import type { VerificationCache } from '#core/verification/verification-cache.ts'

/** Entry `index` of a list; undefined beyond its end. Entry 0 is the most significant bit. */
export function bitAt(bits: Uint8Array, index: number): boolean | undefined {
  const byte = bits[Math.floor(index / 8)]
  return byte === undefined ? undefined : (byte & (0x80 >> (index % 8))) !== 0
}

/** A copy of the list in which the given entries are set. Throws a RangeError beyond its end. */
export function setBits(bits: Uint8Array, indexes: Iterable<number>): Uint8Array {
  const copy = Uint8Array.from(bits)
  for (const index of indexes) {
    const position = Math.floor(index / 8)
    const byte = copy[position]
    if (byte === undefined || index < 0) throw new RangeError(`the list has no entry ${index}`)
    copy[position] = byte | (0x80 >> (index % 8))
  }
  return copy
}

/**
 * Minimum entries of a list, so that a fetch reveals little about the holder (Bitstring Status List
 * 1.0).
 */
export const fewestEntries = 131_072

/**
 * How a list is encoded: with the prefix `u` of multibase base64url (Bitstring Status List), or
 * without.
 */
type StatusListEncoding = 'multibase' | 'base64url'

const prefixes: Readonly<Record<StatusListEncoding, string>> = { multibase: 'u', base64url: '' }

/**
 * Compresses a list to the text of `encodedList`. Entry 0 is the most significant bit of byte 0.
 * The bytes are the same on every system: the gzip header contains no name, time or system.
 */
export function encodeBitstring(
  bits: Uint8Array,
  encoding: StatusListEncoding = 'multibase',
): string {
  const compressed = gzipSync(bits)
  // RFC 1952, 2.3: byte 9 names the operating system; 255 is unknown.
  compressed[9] = 255
  return `${prefixes[encoding]}${compressed.toString('base64url')}`
}

const mostBytes = 2 * 1024 * 1024

/**
 * Returns the bits of an `encodedList`; undefined if it is not valid: another encoding, not gzip,
 * or more than 2 MiB decompressed. Do not modify the result, because a cache keeps it.
 */
export function decodeBitstring(
  encodedList: string,
  encoding: StatusListEncoding = 'multibase',
  cache?: VerificationCache,
): Uint8Array | undefined {
  const prefix = prefixes[encoding]
  if (!encodedList.startsWith(prefix)) return undefined
  const text = encodedList.slice(prefix.length)
  return cache ? cache.keepBitstring(text, () => unpack(text)) : unpack(text)
}

function unpack(text: string): Uint8Array | undefined {
  const compressed = decodeBase64url(text)
  if (!compressed) return undefined
  try {
    return gunzipSync(compressed, { maxOutputLength: mostBytes })
  } catch {
    return undefined
  }
}
