import type { PublicJwk } from '#core/crypto/jwk.ts'
import { parsePublicJwk } from '#core/crypto/parse-public-jwk.ts'
import type { DidDocument } from '#core/did/z-did-document.ts'

export type VerificationRelationship =
  | 'assertionMethod'
  | 'authentication'
  | 'keyAgreement'
  | 'capabilityInvocation'
  | 'capabilityDelegation'

/** The key that a DID URL names in a DID document; undefined where it names none, or no usable one. */
export function findVerificationKey(document: DidDocument, didUrl: string): PublicJwk | undefined {
  const methods = document.verificationMethod.filter(({ id }) => id === didUrl)
  const [method] = methods
  return method && methods.length === 1 ? parsePublicJwk(method.publicKeyJwk) : undefined
}

/** Says whether a DID document lists the method of a DID URL under a relationship. */
export function hasRelationship(
  document: DidDocument,
  didUrl: string,
  relationship: VerificationRelationship,
): boolean {
  return (document[relationship] ?? []).includes(didUrl)
}
