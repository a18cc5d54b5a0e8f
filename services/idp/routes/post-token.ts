import { z } from 'zod'
import { defineRoute } from '#kit/define-route.ts'
import { providerRoutes } from '../adapters/openid-provider.ts'
import type { Dependencies } from '../dependencies.ts'
import { delegate } from './delegate.ts'

/**
 * The token endpoint (document 1, POST /accounts/token).
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
