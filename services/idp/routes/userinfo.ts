import { z } from 'zod'
import { defineRoute, type RouteInput } from '#kit/define-route.ts'
import type { Dependencies } from '../dependencies.ts'
import { invalidToken, missingToken } from '../errors.ts'
import { verifyAccessToken } from '../operations/verify-access-token.ts'

const shared = {
  path: '/accounts/userinfo',
  summary: 'Claims of the access token',
  description: 'Needs Authorization: Bearer with an access token of this provider.',
  auth: 'none',
  responses: { 200: { description: 'The claims', body: z.looseObject({ sub: z.string() }) } },
  errors: ['invalid_token', 'insufficient_scope'],
  async handle(
    { request }: RouteInput<undefined, undefined, undefined, undefined>,
    dependencies: Dependencies,
  ) {
    const authorization = request.get('authorization')
    if (authorization === undefined) throw missingToken()
    const token = /^Bearer ([A-Za-z0-9._~+/=-]+)$/i.exec(authorization)?.[1]
    if (token === undefined) throw invalidToken()
    const { subject, grantId, scopes } = await verifyAccessToken(token, dependencies)
    const credential = await dependencies.credentials.find(grantId, subject)
    if (credential === undefined) throw invalidToken()
    const { claimsFor } = await dependencies.providers.readCurrent()
    return {
      status: 200,
      headers: { 'cache-control': 'no-store' },
      body: { ...claimsFor(scopes, credential), sub: subject },
    }
  },
} as const

/**
 * Served here and not by oidc-provider, whose own endpoint refuses JWT access tokens.
 *
 * @see document 1, GET /accounts/userinfo
 * @row 1.endpoints/credential-idp.6 1.authentication.4
 */
export const getUserinfo = defineRoute<Dependencies>()({ ...shared, method: 'get' })

/** OpenID Connect Core 5.3.1 asks for both methods. */
export const postUserinfo = defineRoute<Dependencies>()({
  ...shared,
  method: 'post',
  documented: false,
})
