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
