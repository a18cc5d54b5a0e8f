import type { DidEnvironment } from '#core/did/did-org.ts'
import { createDid } from '#core/did/did-proof.ts'

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
  const { did, address, vMethodId } = createDid(privateKey, environment)
  return { did, address, privateKey, vMethodId, organizationIdentifier }
}
