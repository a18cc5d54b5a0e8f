import { privateJwkFromHex } from '#core/crypto/create-private-jwk.ts'
import { addressOfPublicKey } from '#core/crypto/ethereum-address.ts'
import { createDidProof } from '#core/did/create-did-proof.ts'
import { didOfProof } from '#core/did/did-of-proof.ts'
import type { DidEnvironment } from '#core/did/did-org.ts'
import { verificationMethodIdOf } from '#core/did/verification-method-id.ts'

/** An organization with a DID of its own, and the key that controls it. */
export interface Identity {
  readonly did: string
  /** Account of the key, EIP-55. */
  readonly address: string
  /** 0x-hex, 32 bytes. */
  readonly privateKey: string
  readonly vMethodId: string
  readonly organizationIdentifier: string
}

/** The identity that a private key stands for in an environment; nothing is registered by this. */
export function createIdentity(
  environment: DidEnvironment,
  privateKey: string,
  organizationIdentifier: string,
): Identity {
  const { proof, publicKey } = createDidProof(privateKey)
  return {
    did: didOfProof(proof, environment),
    address: addressOfPublicKey(publicKey),
    privateKey,
    vMethodId: verificationMethodIdOf(privateJwkFromHex(privateKey)),
    organizationIdentifier,
  }
}
