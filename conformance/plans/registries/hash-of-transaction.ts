import { keccak_256 } from '@noble/hashes/sha3.js'

/** The hash of a signed raw transaction, both as 0x-hex. */
export function hashOfTransaction(raw: string): string {
  return `0x${Buffer.from(keccak_256(Buffer.from(raw.slice(2), 'hex'))).toString('hex')}`
}
