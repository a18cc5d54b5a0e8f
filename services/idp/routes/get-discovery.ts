import { z } from 'zod'
import { defineRoute } from '#kit/define-route.ts'
import type { IdpConfig } from '../config.ts'
import { providerRoutes, supportedScopes } from '../create-provider.ts'
import type { Dependencies } from '../dependencies.ts'

const zDiscovery = z.object({
  issuer: z.url(),
  authorization_endpoint: z.url(),
  token_endpoint: z.url(),
  userinfo_endpoint: z.url(),
  jwks_uri: z.url(),
  scopes_supported: z.array(z.string()),
  response_types_supported: z.array(z.string()),
  grant_types_supported: z.array(z.string()),
  id_token_signing_alg_values_supported: z.array(z.string()),
  subject_types_supported: z.array(z.string()),
  token_endpoint_auth_methods_supported: z.array(z.string()),
  code_challenge_methods_supported: z.array(z.string()),
  authorization_response_iss_parameter_supported: z.boolean(),
})

/**
 * The document's fields with the document's values, then what OpenID Connect Discovery asks for and
 * clients profit from. Refresh tokens are issued though grant_types_supported does not say so.
 *
 * @assumption A-33
 */
function discoveryDocument({ baseUrl }: IdpConfig): z.infer<typeof zDiscovery> {
  return {
    issuer: baseUrl,
    authorization_endpoint: `${baseUrl}${providerRoutes.authorization}`,
    token_endpoint: `${baseUrl}${providerRoutes.token}`,
    userinfo_endpoint: `${baseUrl}/accounts/userinfo`,
    jwks_uri: `${baseUrl}${providerRoutes.jwks}`,
    scopes_supported: [...supportedScopes],
    response_types_supported: ['code'],
    grant_types_supported: ['authorization_code'],
    id_token_signing_alg_values_supported: ['RS256'],
    subject_types_supported: ['public'],
    token_endpoint_auth_methods_supported: ['client_secret_basic', 'client_secret_post'],
    code_challenge_methods_supported: ['S256'],
    authorization_response_iss_parameter_supported: true,
  }
}

const shared = {
  method: 'get',
  auth: 'none',
  responses: { 200: { description: 'The discovery document', body: zDiscovery } },
  handle: (_input: unknown, { config }: Dependencies) => ({
    status: 200,
    headers: { 'access-control-allow-origin': '*' },
    body: discoveryDocument(config),
  }),
} as const

/**
 * OpenID Connect Discovery. oidc-provider's own document could not have these values.
 *
 * @row 1.endpoints/credential-idp.3 1.endpoints/credential-idp.11
 */
export const getDiscovery = defineRoute<Dependencies>()({
  ...shared,
  path: '/.well-known/openid-configuration',
  summary: 'Discovery document',
})

/** The same under the name that RFC 8414 gives it. */
export const getServerMetadata = defineRoute<Dependencies>()({
  ...shared,
  path: '/.well-known/oauth-authorization-server',
  summary: 'Discovery document',
  documented: false,
})
