import { signedRequestMediaType } from '#core/oid4vp/authorization-request.ts'
import { defineRoute } from '#kit/define-route.ts'
import type { Dependencies } from '../dependencies.ts'
import { signRequestOf } from '../domain/presentation-request.ts'
import { requestExpired, unknownSession } from '../errors.ts'
import { zSessionParams } from './sessions.ts'

/**
 * The presentation request of a session, signed by the verifier's registered DID.
 *
 * @assumption A-45
 * @row 1.resources-and-their-fields/presentation-authorization-request.8..9
 */
export const getRequest = defineRoute<Dependencies>()({
  method: 'get',
  path: '/requests/:id',
  summary: 'The presentation request as a signed JWT',
  auth: 'none',
  crossOrigin: true,
  request: { params: zSessionParams },
  responses: { 200: { description: 'The request', contentType: signedRequestMediaType } },
  errors: ['not_found', 'request_expired'],
  invalidInput: unknownSession,
  async handle({ params }, { config, runtime, sessions, signingKey }) {
    const session = await sessions.find('request_id', params.id)
    if (!session) throw unknownSession()
    const now = runtime.clock.seconds()
    if (session.status !== 'PENDING' || session.expires_at <= now) {
      throw requestExpired()
    }
    const jwt = signRequestOf(config, session, signingKey, now)
    return {
      status: 200,
      contentType: signedRequestMediaType,
      headers: { 'cache-control': 'no-store' },
      body: jwt,
    }
  },
})
