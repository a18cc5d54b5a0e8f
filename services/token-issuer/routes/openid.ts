import { discoveryRoutes, postAsGet } from '#kit/openid-provider/openid-routes.ts'
import { claimsByScope, providerRoutes } from '../adapters/openid-provider.ts'
import type { Dependencies } from '../dependencies.ts'

/** What OpenID Connect asks for and oidc-provider leaves to us: discovery, and POST to its pages. */
export const openidRoutes = [
  ...discoveryRoutes<Dependencies>(({ config: { baseUrl } }) => ({
    issuer: baseUrl,
    authorization_endpoint: `${baseUrl}${providerRoutes.authorization}`,
    token_endpoint: `${baseUrl}${providerRoutes.token}`,
    end_session_endpoint: `${baseUrl}${providerRoutes.end_session}`,
    jwks_uri: `${baseUrl}${providerRoutes.jwks}`,
    scopes_supported: Object.keys(claimsByScope),
    claims: Object.values(claimsByScope).flat(),
  })),
  postAsGet<Dependencies>(providerRoutes.authorization),
  postAsGet<Dependencies>(providerRoutes.end_session),
]
