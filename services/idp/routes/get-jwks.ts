import { z } from 'zod'
import { publicJwkOf } from '#core/crypto/jwk.ts'
import { defineRoute } from '#kit/define-route.ts'
import { providerRoutes } from '../adapters/openid-provider.ts'
import type { Dependencies } from '../dependencies.ts'

/**
 * The key set with which id_tokens and access tokens verify (document 1, GET /accounts/jwks). A key
 * that signs no more stays in it while tokens that it signed are valid.
 *
 * @row 1.endpoints/credential-idp.7
 */
export const getJwks = defineRoute<Dependencies>()({
  method: 'get',
  path: providerRoutes.jwks,
  summary: 'Key set',
  auth: 'none',
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
