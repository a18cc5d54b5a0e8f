import type { PublicJwk } from '#core/crypto/jwk.ts'
import { parsePublicJwk } from '#core/crypto/parse-public-jwk.ts'
import type { DidDocument } from '#core/did/z-did-document.ts'

export type VerificationRelationship =
  | 'assertionMethod'
  | 'authentication'
  | 'keyAgreement'
  | 'capabilityInvocation'
  | 'capabilityDelegation'

/**
 * The key that a DID URL names in a DID document; undefined where it names none, or no usable one.
 * Takes what a message holds as its `kid`, which may be anything.
 */
export function findVerificationKey(document: DidDocument, didUrl: unknown): PublicJwk | undefined {
  const methods = document.verificationMethod.filter(({ id }) => id === didUrl)
  const [method] = methods
  return method && methods.length === 1 ? parsePublicJwk(method.publicKeyJwk) : undefined
}

/** Says whether a DID document lists the method of a DID URL (or of anything else) under a relationship. */
export function hasRelationship(
  document: DidDocument,
  didUrl: unknown,
  relationship: VerificationRelationship,
): boolean {
  return (document[relationship] ?? []).some((id) => id === didUrl)
}
