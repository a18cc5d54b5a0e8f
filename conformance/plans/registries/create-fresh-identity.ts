import { randomBytes } from 'node:crypto'
import type { DidEnvironment } from '#core/did/did-org.ts'
import { createDid } from '#core/did/did-proof.ts'
import type { Signer } from '#core/ethereum/account.ts'

/** A key that nobody has seen before, with the DID that it stands for. */
export interface FreshIdentity extends Signer {
  readonly did: string
  readonly vMethodId: string
  /** Uncompressed, as 0x-hex. */
  readonly publicKey: string
  /** Of the DID generation tool. */
  readonly proof: string
}

/** Makes an identity that no registry knows: each run of a check has its own. */
export function createFreshIdentity(environment: DidEnvironment): FreshIdentity {
  const privateKey = `0x${randomBytes(32).toString('hex')}`
  return { ...createDid(privateKey, environment), privateKey }
}
