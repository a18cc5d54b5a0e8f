import { discoveryRoutes } from '#kit/openid-provider/openid-routes.ts'
import { providerRoutes, supportedScopes } from '../adapters/openid-provider.ts'
import type { Dependencies } from '../dependencies.ts'

/**
 * The discovery document. Its claims are those that the mappers make now.
 *
 * @row 1.endpoints/credential-idp.3 1.endpoints/credential-idp.11
 */
export const discovery = discoveryRoutes<Dependencies>(async ({ config, providers }) => ({
  issuer: config.baseUrl,
  authorization_endpoint: `${config.baseUrl}${providerRoutes.authorization}`,
  token_endpoint: `${config.baseUrl}${providerRoutes.token}`,
  userinfo_endpoint: `${config.baseUrl}/accounts/userinfo`,
  jwks_uri: `${config.baseUrl}${providerRoutes.jwks}`,
  scopes_supported: [...supportedScopes],
  claims: (await providers.readCurrent()).claims,
}))
