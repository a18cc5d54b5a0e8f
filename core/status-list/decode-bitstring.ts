import { gunzipSync } from 'node:zlib'
import { decodeBase64url } from '#core/crypto/base64url.ts'
import type { StatusListEncoding } from './encode-bitstring.ts'

const mostBytes = 2 * 1024 * 1024

/**
 * The bits in an `encodedList`; undefined where it is none: another encoding, no gzip, or more than
 * 2 MiB once unpacked.
 */
export function decodeBitstring(
  encodedList: string,
  encoding: StatusListEncoding = 'multibase',
): Uint8Array | undefined {
  if (encoding === 'multibase' && !encodedList.startsWith('u')) return undefined
  const compressed = decodeBase64url(encoding === 'multibase' ? encodedList.slice(1) : encodedList)
  if (!compressed) return undefined
  try {
    return gunzipSync(compressed, { maxOutputLength: mostBytes })
  } catch {
    return undefined
  }
}
