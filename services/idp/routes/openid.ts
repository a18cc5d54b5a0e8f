import type { Request, Response } from 'express'
import { z } from 'zod'
import { publicJwkOf } from '#core/crypto/jwk.ts'
import { defineRoute, type Reply, type RouteInput } from '#kit/define-route.ts'
import { discoveryRoutes, postAsGet } from '#kit/openid-provider/openid-routes.ts'
import type { Dependencies } from '../dependencies.ts'
import { providerRoutes, supportedScopes } from '../domain/provider-routes.ts'
import { invalidToken, missingToken } from '../errors.ts'
import { verifyAccessToken } from '../operations/verify-access-token.ts'

/**
 * The discovery document. It lists the claims of the current mappers.
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

// Only described: oidc-provider rejects invalid values in the protocol's own way.
const parameter = (description: string) => z.unknown().optional().describe(description)

/**
 * The authorization endpoint (profile/idp, Authorize).
 *
 * @row 1.endpoints/credential-idp.4 1.endpoints/credential-idp.12..18
 */
export const getAuthorize = defineRoute<Dependencies>()({
  method: 'get',
  path: providerRoutes.authorization,
  summary: 'Start a login: redirects to the page with the QR code',
  auth: 'none',
  request: {
    query: z.looseObject({
      client_id: parameter('Required: registered client id'),
      redirect_uri: parameter('Required: must match the client configuration'),
      response_type: parameter('Required: code'),
      scope: parameter('Required, for example openid profile email openid-vp-lear'),
      state: parameter('Recommended: opaque CSRF value'),
      nonce: parameter('Replay protection for the id_token'),
      code_challenge: parameter('PKCE'),
      code_challenge_method: parameter('S256'),
    }),
  },
  responses: {
    303: {
      description: 'Redirect to the QR page, or to the relying party with an error',
      contentType: 'text/html',
    },
    400: {
      description: 'An error page without redirect: unknown client or redirect_uri',
      contentType: 'text/html',
    },
    503: {
      description: 'An error page: a service that logins need is unavailable',
      contentType: 'text/html',
    },
  },
  handle: ({ request, response }, dependencies) => delegate(request, response, dependencies),
})

/** The same with a form. */
export const postAuthorize = postAsGet<Dependencies>(providerRoutes.authorization)

/**
 * The token endpoint (profile/idp, Token).
 *
 * @row 1.endpoints/credential-idp.5 1.endpoints/credential-idp.19..20 1.errors.8 1.limits.2
 */
export const postToken = defineRoute<Dependencies>()({
  method: 'post',
  path: providerRoutes.token,
  summary: 'Exchange a code, or a refresh token, for tokens',
  description:
    'Form with grant_type, code, redirect_uri, client_id (or grant_type refresh_token and ' +
    'refresh_token); the client authenticates by HTTP Basic or with client_secret in the form.',
  auth: 'none',
  request: {
    documented: z.union([
      z.looseObject({
        grant_type: z.literal('authorization_code'),
        code: z.string(),
        redirect_uri: z.string(),
        client_id: z.string(),
      }),
      z.looseObject({ grant_type: z.literal('refresh_token'), refresh_token: z.string() }),
    ]),
    contentTypes: ['application/x-www-form-urlencoded'],
  },
  responses: {
    200: {
      description: 'Tokens',
      body: z.object({
        access_token: z.string().describe('JWT'),
        id_token: z.string().describe('JWT signed with RS256'),
        refresh_token: z.string(),
        token_type: z.literal('Bearer'),
        expires_in: z.int(),
        scope: z.string(),
      }),
    },
  },
  errors: ['invalid_client', 'invalid_grant', 'invalid_request', 'unsupported_grant_type'],
  handle: ({ request, response }, dependencies) => delegate(request, response, dependencies),
})

/**
 * The key set that verifies id_tokens and access tokens (profile/idp, Endpoints). A
 * replaced key stays in it while tokens that it signed are valid.
 *
 * @row 1.endpoints/credential-idp.7
 */
export const getJwks = defineRoute<Dependencies>()({
  method: 'get',
  path: providerRoutes.jwks,
  summary: 'Key set',
  auth: 'none',
  cacheable: true,
  responses: {
    200: {
      description: 'A JSON Web Key Set',
      contentType: 'application/jwk-set+json',
      body: z.object({ keys: z.array(z.looseObject({ kty: z.string(), kid: z.string() })) }),
    },
  },
  async handle(_input, { providers }) {
    const keys = (await providers.publishedKeys()).map(({ jwk }) => {
      const { kid, alg, use } = jwk
      return { ...publicJwkOf(jwk), kid, alg, use }
    })
    return {
      status: 200,
      contentType: 'application/jwk-set+json; charset=utf-8',
      headers: { 'access-control-allow-origin': '*' },
      body: { keys },
    }
  },
})

/** Passes a request with an unread body to oidc-provider; ignores the return value. */
async function delegate(
  request: Request,
  response: Response,
  { providers }: Dependencies,
): Promise<Reply> {
  const { provider } = await providers.readCurrent()
  await provider.callback()(request, response)
  return { status: response.statusCode }
}

const shared = {
  path: '/accounts/userinfo',
  summary: 'Claims of the access token',
  description: 'Requires Authorization: Bearer with an access token of this provider.',
  auth: 'none',
  responses: { 200: { description: 'The claims', body: z.looseObject({ sub: z.string() }) } },
  errors: ['invalid_token', 'insufficient_scope'],
  async handle(
    { request }: RouteInput<undefined, undefined, undefined, undefined>,
    dependencies: Dependencies,
  ) {
    const authorization = request.get('authorization')
    if (authorization === undefined) throw missingToken()
    const token = /^Bearer +([A-Za-z0-9._~+/=-]+)$/i.exec(authorization)?.[1]
    if (token === undefined) throw invalidToken()
    const { subject, grantId, scopes, claimsFor } = await verifyAccessToken(token, dependencies)
    const credential = await dependencies.credentials.find(grantId, subject)
    if (credential === undefined) throw invalidToken()
    return {
      status: 200,
      body: { ...claimsFor(scopes, credential), sub: subject },
    }
  },
} as const

/**
 * Implemented here, because the endpoint of oidc-provider rejects JWT access tokens.
 *
 * @see profile/idp, Endpoints
 * @row 1.endpoints/credential-idp.6 1.authentication.4
 */
export const getUserinfo = defineRoute<Dependencies>()({ ...shared, method: 'get' })

/** OpenID Connect Core 5.3.1 requires both methods. */
export const postUserinfo = defineRoute<Dependencies>()({ ...shared, method: 'post' })
