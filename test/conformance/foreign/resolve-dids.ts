import type { DIDDocument, DIDResolver } from 'did-resolver'

/**
 * Glue: resolves DIDs of the ecosystem at its DID registry; the document is null if there is
 * no registry.
 */
export const resolveOrgDidAt =
  (didRegistryUrl: string | undefined): DIDResolver =>
  async (did) => ({
    didResolutionMetadata: { contentType: 'application/did+ld+json' },
    didDocumentMetadata: {},
    didDocument: didRegistryUrl === undefined ? null : await fetchDocument(did, didRegistryUrl),
  })

async function fetchDocument(did: string, didRegistryUrl: string) {
  const url = `${didRegistryUrl}/api/v1/identifiers/${encodeURIComponent(did)}`
  const response = await fetch(url, { signal: AbortSignal.timeout(1500) })
  return response.ok ? ((await response.json()) as DIDDocument) : null
}

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
