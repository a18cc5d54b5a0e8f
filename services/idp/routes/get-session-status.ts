import { z } from 'zod'
import { defineRoute } from '#kit/define-route.ts'
import type { Dependencies } from '../dependencies.ts'
import { loginStatus } from '../domain/login.ts'
import { unknownSession } from '../errors.ts'

/**
 * How a verification stands, for whoever has its session code (document 1, GET
 * /idp/api/auth/requests). The answer holds the status and nothing else.
 *
 * @assumption A-31
 * @row 1.endpoints/credential-idp.8 1.authentication.5
 */
export const getSessionStatus = defineRoute<Dependencies>()({
  method: 'get',
  path: '/idp/api/auth/requests',
  summary: 'Status of a verification session',
  auth: 'none',
  request: { query: z.object({ session: z.string().regex(/^[\w-]{1,128}$/) }) },
  responses: {
    200: {
      description: 'The status',
      body: z.strictObject({ status: z.enum(['PENDING', 'SUCCESS', 'FAILED']) }),
    },
  },
  errors: ['not_found'],
  invalidInput: unknownSession,
  async handle({ query }, { logins, runtime }) {
    const login = await logins.findByCode(query.session)
    if (!login) throw unknownSession()
    return {
      status: 200,
      headers: { 'cache-control': 'no-store' },
      body: { status: loginStatus(login, runtime.clock.seconds()) },
    }
  },
})
