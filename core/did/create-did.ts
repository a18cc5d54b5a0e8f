import { privateJwkFromHex } from '#core/crypto/create-private-jwk.ts'
import { createDidProof } from '#core/did/create-did-proof.ts'
import { didOfProof } from '#core/did/did-of-proof.ts'
import type { DidEnvironment } from '#core/did/did-org.ts'
import { verificationMethodIdOf } from '#core/did/verification-method-id.ts'
import { signerOf } from '#core/ethereum/signer.ts'

/**
 * The DID that a private key (0x-hex) stands for in an environment, with its proof and what else a
 * registration needs; nothing of it is secret, and nothing is registered by this.
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
