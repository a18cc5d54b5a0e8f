import { gunzipSync } from 'node:zlib'
import { decodeBase64url } from '#core/crypto/base64url.ts'
import type { StatusListEncoding } from './encode-bitstring.ts'

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
