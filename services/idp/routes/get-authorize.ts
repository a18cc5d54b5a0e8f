import { z } from 'zod'
import { defineRoute } from '#kit/define-route.ts'
import { providerRoutes } from '../adapters/openid-provider.ts'
import type { Dependencies } from '../dependencies.ts'
import { delegate } from './delegate.ts'

// Described, not checked: oidc-provider refuses what is wrong in the way that the protocol asks for.
const parameter = (description: string) => z.unknown().optional().describe(description)

/**
 * The authorization endpoint (document 1, GET /accounts/authorize query).
 *
 * @row 1.endpoints/credential-idp.4 1.endpoints/credential-idp.12..18
 */
export const getAuthorize = defineRoute<Dependencies>()({
  method: 'get',
  path: providerRoutes.authorization,
  summary: 'Begin a login: leads to the page with the QR code',
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
      description: 'To the QR page, or back to the relying party with an error',
      contentType: 'text/html',
    },
    400: {
      description: 'A page: unknown client or redirect_uri; there is no redirect',
      contentType: 'text/html',
    },
    503: { description: 'A page: a service that a login needs is away', contentType: 'text/html' },
  },
  handle: ({ request, response }, dependencies) => delegate(request, response, dependencies),
})
