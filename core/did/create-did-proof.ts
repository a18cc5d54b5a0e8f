import { secp256k1 } from '@noble/curves/secp256k1.js'
import { keccak_256 } from '@noble/hashes/sha3.js'
import { privateJwkFromHex } from '#core/crypto/create-private-jwk.ts'
import { publicKeyHexOf } from '#core/crypto/secp256k1-public-key.ts'

export interface DidProof {
  /** 65 bytes r, s, v (27 or 28) as 0x-hex. */
  readonly proof: `0x${string}`
  /** 0x04, X and Y as 0x-hex. */
  readonly publicKey: `0x${string}`
}

/**
 * Makes the proof that a new DID is derived from: a signature of the key over keccak256 of its own
 * public key (X and Y, 64 bytes), low-S and deterministic, so that one key gives one DID. Throws a
 * TypeError for a private key that is none.
 *
 * @assumption A-01
 */
export function createDidProof(privateKeyHex: string): DidProof {
  const privateKey = privateJwkFromHex(privateKeyHex)
  const publicKey = publicKeyHexOf(privateKey)
  const digest = keccak_256(Buffer.from(publicKey.slice(4), 'hex'))
  const signature = secp256k1.sign(digest, Buffer.from(privateKey.d, 'base64url'), {
    prehash: false,
    format: 'recovered',
  })
  const recovery = signature[0] ?? 0
  const rs = Buffer.from(signature.subarray(1)).toString('hex')
  return { proof: `0x${rs}${(27 + recovery).toString(16)}`, publicKey }
}
