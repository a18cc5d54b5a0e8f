import { z } from 'zod'
import { defineRoute } from '#kit/define-route.ts'
import { providerRoutes } from '../create-provider.ts'
import type { Dependencies } from '../dependencies.ts'
import { delegate } from './delegate.ts'

/** The key set with which id_tokens and access tokens verify (document 1, GET /accounts/jwks). */
export const getJwks = defineRoute<Dependencies>()({
  method: 'get',
  path: providerRoutes.jwks,
  summary: 'Key set',
  auth: 'none',
  responses: {
    200: {
      description: 'A JSON Web Key Set',
      body: z.object({ keys: z.array(z.looseObject({ kty: z.string(), kid: z.string() })) }),
    },
  },
  handle: ({ request, response }, dependencies) => delegate(request, response, dependencies),
})
