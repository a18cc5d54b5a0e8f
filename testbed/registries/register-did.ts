import type { Signer } from '#core/ethereum/account.ts'
import { type WriteDidOptions, writeDid } from './write-registries.ts'

/** A DID before its registration, with the proof of its key. */
export interface CreatedDid {
  readonly did: string
  /** 0x-hex, 65 bytes. */
  readonly proof: string
  /** 0x04, X and Y as 0x-hex. */
  readonly publicKey: string
  readonly vMethodId: string
}

interface Validity {
  /** Unix seconds. */
  readonly notBefore: number
  /** Unix seconds. */
  readonly notAfter: number
}

/** The body of insertFirstDidDocument (profile/did-registry, Write). */
export function createFirstDocument(
  { did, vMethodId, proof, publicKey }: CreatedDid,
  alsoKnownAs: string,
  validity: Validity,
) {
  const publicKeyType = 'secp256k1'
  return { did, vMethodId, proof, publicKeyType, publicKey, alsoKnownAs, ...validity }
}

export interface RegisterDidOptions {
  readonly created: CreatedDid
  readonly alsoKnownAs: string
  readonly validity: Validity
  readonly onboardingNode: Signer
  /** The key of the DID; if set, it is also authorized to issue credentials. */
  readonly assertionKey?: Signer | undefined
  /** How a transaction is written; `kid` is what it adds to assertionMethod, if not the DID. */
  writing(kid?: string): WriteDidOptions
}

/**
 * Registers a DID as an onboarding node and, on request, adds its key to assertionMethod. Returns
 * the hashes of the transactions, which are on the chain. Throws like `writeDid`.
 */
export async function registerDid(options: RegisterDidOptions): Promise<string[]> {
  const { created, alsoKnownAs, validity, onboardingNode, assertionKey, writing } = options
  const { did, vMethodId } = created
  const body = createFirstDocument(created, alsoKnownAs, validity)
  const first = await writeDid(writing(), 'insertFirstDidDocument', body, onboardingNode)
  if (assertionKey === undefined) return [first]
  const relationship = { did, name: 'assertionMethod', vMethodId, ...validity }
  const operation = 'addVerificationRelationship'
  const kid = `${did}#${vMethodId}`
  return [first, await writeDid(writing(kid), operation, relationship, assertionKey)]
}
