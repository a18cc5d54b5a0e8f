import { z } from 'zod'
import { defineRoute } from '#kit/define-route.ts'
import type { Dependencies } from '../dependencies.ts'
import { loginStatus } from '../domain/login.ts'
import { missingSession, unknownSession, unknownVerifierSession } from '../errors.ts'
import { outcomeOf } from '../operations/verification.ts'

/**
 * The status of a verification, for any client with its session code (profile/idp,
 * Endpoints). The response has only the status.
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
  errors: ['invalid_request', 'not_found'],
  invalidInput: ([problem]) => (problem?.missing ? missingSession() : unknownSession()),
  async handle({ query }, { logins, runtime }) {
    const login = await logins.findByCode(query.session)
    if (!login) throw unknownSession()
    return {
      status: 200,
      body: { status: loginStatus(login, runtime.clock.seconds()) },
    }
  },
})

const zResult = z.object({
  session_id: z.string().min(1).max(256).describe('ID of the session at the verification service'),
  status: z.enum(['SUCCESS', 'FAILED']),
  response_code: z.string().max(256).optional().describe('One-time code in the redirect_uri'),
  credential: z
    .record(z.string(), z.unknown())
    .optional()
    .describe('The vc claim of the presented credential, for SUCCESS'),
  failures: z
    .array(z.looseObject({ rule: z.string(), reason: z.string() }))
    .default([])
    .describe('Rules that the presentation broke'),
  unavailable: z.array(z.string()).default([]).describe('Services that did not respond'),
})

/**
 * Receives the verdict of the verification service. If it is repeated, the first one counts.
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
      description: 'Accepted; the current status of the session',
      body: z.object({ status: z.enum(['PENDING', 'SUCCESS', 'FAILED']) }),
    },
  },
  errors: ['invalid_api_key', 'invalid_request', 'not_found'],
  async handle({ body }, { logins, runtime, log }) {
    const { unavailable } = body
    if (unavailable.length > 0)
      log.warn({ unavailable }, 'a login failed because services did not respond')
    const login = await logins.decide(body.session_id, outcomeOf(body))
    if (!login) throw unknownVerifierSession()
    return { status: 200, body: { status: loginStatus(login, runtime.clock.seconds()) } }
  },
})
