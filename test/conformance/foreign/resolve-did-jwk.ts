import type { DIDResolver } from 'did-resolver'

/** Glue: no resolver for did:jwk comes with the packages at hand. The key is the identifier. */
export const resolveDidJwk: DIDResolver = async (did) => {
  const jwk = JSON.parse(Buffer.from(did.slice('did:jwk:'.length), 'base64url').toString())
  const method = { id: `${did}#0`, type: 'JsonWebKey2020', controller: did, publicKeyJwk: jwk }
  return {
    didResolutionMetadata: { contentType: 'application/did+ld+json' },
    didDocumentMetadata: {},
    didDocument: {
      id: did,
      verificationMethod: [method],
      authentication: [method.id],
      assertionMethod: [method.id],
    },
  }
}
