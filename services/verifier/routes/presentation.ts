import { z } from 'zod'
import { signedRequestMediaType } from '#core/oid4vp/authorization-request.ts'
import { parseVpToken, vpTokenFormRule } from '#core/oid4vp/vp-token.ts'
import { evaluateRules } from '#core/verification/rules.ts'
import { defineRoute, type Reply } from '#kit/define-route.ts'
import { recordVerdicts } from '#kit/record-hops.ts'
import type { Dependencies } from '../dependencies.ts'
import { responseCodeOf, signRequestOf } from '../domain/presentation-request.ts'
import { requestExpired, unknownSession } from '../errors.ts'
import { decideSession } from '../operations/decide-session.ts'
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
      body: jwt,
    }
  },
})

const largestPost = 256 * 1024

/**
 * Receives the wallet's presentation (profile/verifier, Response endpoint). The response does not
 * reveal the verdict: the IDP's page shows it.
 *
 * @assumption A-30
 * @row 1.endpoints/endpoint-a-verifier-exposes-to-the-wallet.1..2 1.what-the-service-does.3 1.states-and-transitions.6..7
 */
export const postResponse = defineRoute<Dependencies>()({
  method: 'post',
  path: '/responses/:id',
  summary: 'Receive a presentation',
  auth: 'none',
  crossOrigin: true,
  request: {
    params: zSessionParams,
    contentTypes: ['application/x-www-form-urlencoded'],
    limit: largestPost,
    // A missing or duplicate field still gets a 200.
    body: z.record(z.string(), z.unknown()).default({}),
    documented: z.looseObject({
      vp_token: z.string().describe('The presentation, a JWT'),
      presentation_submission: z.string().describe('JSON'),
      state: z.string().optional(),
    }),
  },
  responses: {
    200: {
      description: 'Accepted; the body is empty or has the redirect_uri for the holder',
      body: z.object({ redirect_uri: z.url().optional() }),
    },
  },
  errors: ['not_found', 'unsupported_media_type', 'payload_too_large'],
  invalidInput: unknownSession,
  async handle({ params, body }, dependencies) {
    const { runtime, sessions, log } = dependencies
    const session = await sessions.find('request_id', params.id)
    if (!session) throw unknownSession()
    const vpToken = parseVpToken(textOf(body.vp_token))
    const isOpen = session.status === 'PENDING' && session.expires_at > runtime.clock.seconds()
    if (!isOpen || !vpToken) {
      const reason = isOpen ? findWhyUnread(body) : 'the session has ended'
      log.info({ sessionId: session.session_id, reason }, 'a post to a session changed nothing')
      return taken()
    }
    const presentationSubmission = textOf(body.presentation_submission)
    // A repeated state matches none; only a missing one is allowed.
    const state = body.state === undefined ? undefined : (textOf(body.state) ?? '')
    const posted = { vpToken, presentationSubmission, state }
    const decided = await decideSession(session, posted, dependencies)
    const { redirect_uri: redirectUri } = session
    if (!decided || redirectUri === null) return taken()
    const url = new URL(redirectUri)
    url.searchParams.set('response_code', responseCodeOf(session, dependencies.config))
    return taken({ redirect_uri: url.href })
  },
})

/** Why a form has no presentation, which the recorded exchange shows too. */
function findWhyUnread(body: Readonly<Record<string, unknown>>): string {
  if (body.error !== undefined) return 'the wallet reported an error'
  const form = evaluateRules([vpTokenFormRule], body.vp_token)
  recordVerdicts(form)
  return form.failures.map((failure) => failure.reason).join('; ')
}

function textOf(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined
}

function taken(body: { readonly redirect_uri?: string } = {}): Reply {
  return { status: 200, body }
}
