import type { PublicJwk } from '#core/crypto/jwk.ts'
import { parsePublicJwk } from '#core/crypto/parse-public-jwk.ts'
import type { DidDocument } from '#core/did/z-did-document.ts'

type Relationship = 'assertionMethod' | 'authentication'

/**
 * The public key that a DID document lists under `kid` and allows for one of the given purposes;
 * undefined where it lists none such.
 */
export function findVerificationKey(
  document: DidDocument,
  kid: string,
  relationships: readonly Relationship[],
): PublicJwk | undefined {
  if (!relationships.some((name) => document[name]?.includes(kid))) return undefined
  const method = document.verificationMethod.find(({ id }) => id === kid)
  return method && parsePublicJwk(method.publicKeyJwk)
}
