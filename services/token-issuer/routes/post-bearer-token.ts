import { z } from 'zod'
import { defineRoute } from '#kit/define-route.ts'
import { jose } from '#kit/lazy.ts'
import { randomToken } from '#kit/secrets.ts'
import type { Dependencies } from '../dependencies.ts'
import { unknownOrganization } from '../errors.ts'

const zRequest = z.object({
  organization_identifier: z.string().min(1).max(256),
  email: z.string().max(320).optional().describe('Selects an account, if there are several'),
  omit: z.array(z.string().max(64)).max(32).default([]).describe('Claims to omit'),
  claims: z.record(z.string().max(64), z.unknown()).default({}).describe('Claims to add or change'),
  expires_in: z
    .number()
    .int()
    .min(-86_400)
    .max(86_400)
    .optional()
    .describe('Seconds; a negative value creates an expired token'),
})

const zResponse = z.object({
  access_token: z.string(),
  token_type: z.literal('Bearer'),
  expires_in: z.number().int(),
})

/** Issues a Bearer token without a browser, for tests: with the keys and claims of a sign-in. */
export const postBearerToken = defineRoute<Dependencies>()({
  method: 'post',
  path: '/internal/bearer-tokens',
  summary: 'Issue a Bearer token for a local account of an organization',
  auth: 'apiKey',
  request: { body: zRequest, limit: 16_384 },
  responses: { 200: { description: 'The token', body: zResponse } },
  errors: ['invalid_request', 'invalid_api_key', 'unknown_organization'],
  async handle({ body }, { config, accounts, runtime, readSigningKeys }) {
    const account = accounts.findRepresentative(body.organization_identifier, body.email)
    if (account === undefined) throw unknownOrganization()
    const [key] = await readSigningKeys()
    const now = runtime.clock.seconds()
    const expiresIn = body.expires_in ?? config.accessTokenLifetime
    const claims: Record<string, unknown> = {
      ...account.claims,
      iss: config.baseUrl,
      sub: account.id,
      aud: config.audience,
      client_id: 'internal',
      scope: 'openid profile email organization',
      jti: randomToken(),
      iat: now,
      exp: now + expiresIn,
      ...body.claims,
    }
    for (const name of body.omit) delete claims[name]
    const { importJWK, SignJWT } = jose()
    const accessToken = await new SignJWT(claims)
      .setProtectedHeader({ alg: 'RS256', typ: 'at+jwt', kid: key.kid })
      .sign(await importJWK(key, 'RS256'))
    return {
      status: 200,
      body: { access_token: accessToken, token_type: 'Bearer', expires_in: expiresIn },
    }
  },
})
