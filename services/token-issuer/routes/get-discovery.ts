import { discoveryRoutes } from '#kit/openid-provider/discovery-routes.ts'
import { claimsByScope, providerRoutes } from '../create-provider.ts'
import type { Dependencies } from '../dependencies.ts'

/** The discovery document. */
export const discovery = discoveryRoutes<Dependencies>(({ config: { baseUrl } }) => ({
  issuer: baseUrl,
  authorization_endpoint: `${baseUrl}${providerRoutes.authorization}`,
  token_endpoint: `${baseUrl}${providerRoutes.token}`,
  end_session_endpoint: `${baseUrl}${providerRoutes.end_session}`,
  jwks_uri: `${baseUrl}${providerRoutes.jwks}`,
  scopes_supported: Object.keys(claimsByScope),
  claims: Object.values(claimsByScope).flat(),
}))
