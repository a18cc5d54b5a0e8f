import type { DidRegistryUnderTest, FreshIdentity } from '../registries/did-registry-under-test.ts'

/**
 * A correct body for each operation below /contract/, `from` being the identity's account; but for
 * insertFirstDidDocument, which is for a new DID, by the onboarding node.
 */
export function contractBodies(
  registry: DidRegistryUnderTest,
  identity: FreshIdentity,
  now: number,
): Record<string, Record<string, unknown>> {
  const { did, vMethodId, address: from } = identity
  const other = registry.createIdentity()
  const { alsoKnownAs, ...document } = registry.firstDocumentOf(identity)
  const first = registry.firstDocumentOf(registry.createIdentity(), {
    from: registry.onboardingNode.address,
  })
  const validity = { notBefore: now, notAfter: now + 86_400 }
  const key = {
    vMethodId: other.vMethodId,
    publicKeyType: 'secp256k1',
    publicKey: other.publicKey,
  }
  return {
    insertFirstDidDocument: first,
    insertDidDocument: { ...document, from },
    updateAlsoKnownAs: { did, alsoKnownAs, from },
    updateBaseDocument: { did, baseDocument: '["https://www.w3.org/ns/did/v1"]', from },
    addController: { did, controller: did, from },
    revokeController: { did, controller: did, from },
    addVerificationMethod: { did, ...key, from },
    addVerificationRelationship: { did, name: 'assertionMethod', vMethodId, ...validity, from },
    revokeVerificationMethod: { did, vMethodId, notAfter: now, from },
    expireVerificationMethod: { did, vMethodId, notAfter: now, from },
    rollVerificationMethod: {
      did,
      ...key,
      ...validity,
      oldVMethodId: vMethodId,
      duration: 60,
      from,
    },
  }
}
