import { z } from 'zod'
import { defineRoute } from '#kit/define-route.ts'
import type { Dependencies } from '../dependencies.ts'
import { loginStatus } from '../domain/login.ts'
import { unknownSession, unknownVerifierSession } from '../errors.ts'
import { outcomeOf } from '../operations/verification.ts'

/**
 * How a verification stands, for whoever has its session code (profile/idp, GET
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

const zResult = z.object({
  session_id: z.string().min(1).max(256).describe('As the verification service named it'),
  status: z.enum(['SUCCESS', 'FAILED']),
  response_code: z.string().max(256).optional().describe('One-time code in the redirect_uri'),
  credential: z
    .record(z.string(), z.unknown())
    .optional()
    .describe('The vc claim of the credential that was presented, for SUCCESS'),
  failures: z
    .array(z.looseObject({ rule: z.string(), reason: z.string() }))
    .default([])
    .describe('Rules that the presentation broke'),
  unavailable: z.array(z.string()).default([]).describe('Services that did not answer'),
})

/**
 * Where the verification service reports its verdict. May be repeated: the first one counts.
 *
 * @assumption A-34
 * @row 1.authentication.3
 */
export const postResult = defineRoute<Dependencies>()({
  method: 'post',
  path: '/idp/api/auth/results',
  summary: 'Report the verdict on a presentation',
  auth: 'apiKey',
  request: { body: zResult },
  responses: {
    200: {
      description: 'Taken; how the session stands now',
      body: z.object({ status: z.enum(['PENDING', 'SUCCESS', 'FAILED']) }),
    },
  },
  errors: ['invalid_api_key', 'invalid_request', 'not_found'],
  async handle({ body }, { logins, runtime, log }) {
    const { unavailable } = body
    if (unavailable.length > 0)
      log.warn({ unavailable }, 'a login failed as services did not answer')
    await logins.decide(body.session_id, outcomeOf(body))
    const login = await logins.findByVerifierSession(body.session_id)
    if (!login) throw unknownVerifierSession()
    return { status: 200, body: { status: loginStatus(login, runtime.clock.seconds()) } }
  },
})
