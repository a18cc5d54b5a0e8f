import { gunzipSync, gzipSync } from 'node:zlib'
import { decodeBase64url } from '#core/crypto/base64url.ts'

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

/** Fewest entries of a list, so that fetching one says little about whom (Bitstring Status List 1.0). */
export const fewestEntries = 131_072

/** How a list is written: `u` for multibase base64url first (Bitstring Status List), or without it. */
type StatusListEncoding = 'multibase' | 'base64url'

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

const mostBytes = 2 * 1024 * 1024
const mostKept = 8
const kept = new Map<string, Uint8Array>()

/**
 * The bits in an `encodedList`; undefined where it is none: another encoding, no gzip, or more than
 * 2 MiB once unpacked. The newest lists are kept, as many credentials rest on one: not to be changed.
 */
export function decodeBitstring(
  encodedList: string,
  encoding: StatusListEncoding = 'multibase',
): Uint8Array | undefined {
  if (encoding === 'multibase' && !encodedList.startsWith('u')) return undefined
  const name = `${encoding} ${encodedList}`
  const known = kept.get(name)
  if (known) return known
  const compressed = decodeBase64url(encoding === 'multibase' ? encodedList.slice(1) : encodedList)
  if (!compressed) return undefined
  try {
    const bits = gunzipSync(compressed, { maxOutputLength: mostBytes })
    const [oldest] = kept.keys()
    if (kept.size >= mostKept && oldest !== undefined) kept.delete(oldest)
    kept.set(name, bits)
    return bits
  } catch {
    return undefined
  }
}
