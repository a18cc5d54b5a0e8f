import { keccak_256 } from '@noble/hashes/sha3.js'
import { base58 } from '@scure/base'
import { signRecoverable } from 'tiny-secp256k1'
import { privateJwkFromHex, publicKeyHexOf } from '#core/crypto/jwk.ts'
import { signerOf } from '#core/ethereum/account.ts'
import { type DidEnvironment, didPrefixes, verificationMethodIdOf } from './did-org.ts'

export interface DidProof {
  /** 65 bytes r, s, v (27 or 28) as 0x-hex. */
  readonly proof: `0x${string}`
  /** 0x04, X and Y as 0x-hex. */
  readonly publicKey: `0x${string}`
}

/**
 * Creates the proof that a new DID is derived from: a signature of the key over keccak256 of the
 * public key (X and Y, 64 bytes), low-S and deterministic, so one key yields one DID. Throws a
 * TypeError for an invalid private key.
 *
 * @assumption A-01
 */
export function createDidProof(privateKeyHex: string): DidProof {
  const privateKey = privateJwkFromHex(privateKeyHex)
  const publicKey = publicKeyHexOf(privateKey)
  const digest = keccak_256(Buffer.from(publicKey.slice(4), 'hex'))
  const { signature, recoveryId } = signRecoverable(digest, Buffer.from(privateKey.d, 'base64url'))
  const rs = Buffer.from(signature).toString('hex')
  return { proof: `0x${rs}${(27 + recoveryId).toString(16)}`, publicKey }
}

/**
 * Derives the DID from a proof: the environment's prefix, `z`, and base58btc of a zero byte and the
 * proof's last 19 bytes. Throws a TypeError if the proof is not 65 bytes of 0x-hex.
 *
 * @assumption A-01
 */
export function didOfProof(proof: string, environment: DidEnvironment): string {
  if (!/^0x[0-9a-fA-F]{130}$/.test(proof))
    throw new TypeError('a proof must be 0x followed by 130 hex digits')
  const tail = Buffer.from(proof.slice(-38), 'hex')
  return `${didPrefixes[environment]}z${base58.encode(Buffer.concat([Buffer.of(0), tail]))}`
}

/**
 * Derives the DID of a private key (0x-hex) in an environment, with its proof and the other values
 * for a registration. None of them is secret. Does not register the DID.
 *
 * @assumption A-01
 * @row 2.endpoints/did-registry.17 2.endpoints/did-registry.20
 */
export function createDid(privateKey: string, environment: DidEnvironment) {
  const { proof, publicKey } = createDidProof(privateKey)
  return {
    did: didOfProof(proof, environment),
    proof,
    publicKey,
    vMethodId: verificationMethodIdOf(privateJwkFromHex(privateKey)),
    address: signerOf(privateKey).address,
  }
}
