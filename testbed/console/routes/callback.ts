import { z } from 'zod'
import { defineRoute } from '#kit/define-route.ts'
import type { ConsoleDependencies } from '../dependencies.ts'
import { callbackPage } from '../pages/callback.ts'

/**
 * Where a browser ends after a login at the example relying party or portal: it shows what came
 * back. Tests and example programs catch the browser before it gets here.
 */
export const showCallback = defineRoute<ConsoleDependencies>()({
  method: 'get',
  path: '/callback/:env/:client',
  summary: 'Redirect address of the example clients',
  auth: 'none',
  documented: false,
  request: {
    query: z.object({
      code: z.string().optional(),
      state: z.string().optional(),
      error: z.string().optional(),
      error_description: z.string().optional(),
    }),
  },
  responses: { 200: { description: 'What came back' } },
  handle: ({ query }) => callbackPage(query),
})
