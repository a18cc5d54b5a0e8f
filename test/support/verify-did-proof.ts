import { keccak_256 } from '@noble/hashes/sha3.js'
import { recover } from 'tiny-secp256k1'
import { highestS } from '#core/ethereum/account.ts'

/**
 * Verifies that a proof is the signature of the given public key (0x04, X and Y) over its own
 * 64-byte form, or over the 65-byte form with the 0x04. High-S and a v other than 27 and 28 fail,
 * because each would yield a second DID for the same key. Never throws.
 *
 * @assumption A-01
 */
export function verifyDidProof(proof: string, publicKey: string): boolean {
  const [, r, s, v] = /^0x([0-9a-f]{64})([0-9a-f]{64})(1b|1c)$/.exec(proof.toLowerCase()) ?? []
  const key = /^0x(04[0-9a-fA-F]{128})$/.exec(publicKey)?.[1]
  if (r === undefined || s === undefined || v === undefined || key === undefined) return false
  if (BigInt(`0x${s}`) > highestS) return false
  const keyBytes = Buffer.from(key, 'hex')
  const signature = Buffer.from(r + s, 'hex')
  const recoveryId = v === '1b' ? 0 : 1
  return [keyBytes.subarray(1), keyBytes].some((message) => {
    try {
      const recovered = recover(keccak_256(message), signature, recoveryId, false)
      return recovered !== null && Buffer.from(recovered).equals(keyBytes)
    } catch {
      return false
    }
  })
}
