import { secp256k1 } from '@noble/curves/secp256k1.js'
import { keccak_256 } from '@noble/hashes/sha3.js'

/**
 * Says whether a proof was made by the given public key (0x04, X and Y) over its own 64-byte form,
 * or over the 65-byte form with the 0x04. High-S and a v other than 27 and 28 fail, as each would
 * give a second DID for the same key. Never throws.
 *
 * @assumption A-01
 */
export function verifyDidProof(proof: string, publicKey: string): boolean {
  const parts = /^0x([0-9a-fA-F]{128})(1[bB]|1[cC])$/.exec(proof)
  const key = /^0x(04[0-9a-fA-F]{128})$/.exec(publicKey)?.[1]
  if (!parts?.[1] || !parts[2] || !key) return false
  const keyBytes = Buffer.from(key, 'hex')
  const signature = Buffer.concat([
    Buffer.of(Number.parseInt(parts[2], 16) - 27),
    Buffer.from(parts[1], 'hex'),
  ])
  return [keyBytes.subarray(1), keyBytes].some((message) => recovers(signature, message, keyBytes))
}

function recovers(signature: Uint8Array, message: Uint8Array, key: Uint8Array): boolean {
  try {
    if (secp256k1.Signature.fromBytes(signature, 'recovered').hasHighS()) return false
    const options = { prehash: false }
    const recovered = secp256k1.recoverPublicKey(signature, keccak_256(message), options)
    return Buffer.from(secp256k1.Point.fromBytes(recovered).toBytes(false)).equals(key)
  } catch {
    return false
  }
}
