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

const wellKnown = '/.well-known/openid-credential-issuer'

/**
 * Glue of both wallets: a fetch that adds the token endpoint to issuer metadata without one, at the
 * path that the profile fixes. OpenID4VCI requires it in the metadata of an authorization server
 * (RFC 8414), which the profile does not know.
 */
export const fetchWithTokenEndpoint: typeof fetch = async (input, init) => {
  const response = await fetch(input, init)
  const { pathname } = new URL(input instanceof Request ? input.url : input)
  if (!response.ok || !pathname.includes(wellKnown)) return response
  const metadata: unknown = await response
    .clone()
    .json()
    .catch(() => undefined)
  if (typeof metadata !== 'object' || metadata === null || 'token_endpoint' in metadata) {
    return response
  }
  if (!('credential_issuer' in metadata)) return response
  const { status, headers } = response
  const body = { ...metadata, token_endpoint: `${metadata.credential_issuer}/token` }
  return new Response(JSON.stringify(body), { status, headers })
}
