import { z } from 'zod'
import { parseVpToken } from '#core/oid4vp/vp-token.ts'
import { defineRoute, type Reply } from '#kit/define-route.ts'
import { recordVerdicts } from '#kit/record-hops.ts'
import type { Session } from '../adapters/create-session-store.ts'
import { recordLookups } from '../adapters/record-lookups.ts'
import type { Dependencies } from '../dependencies.ts'
import { authorizationRequestOf } from '../domain/authorization-request-of.ts'
import { createExplanation, unavailableServices } from '../domain/create-explanation.ts'
import { credentialPolicyOf } from '../domain/credential-policy-of.ts'
import { responseCodeOf } from '../domain/response-code-of.ts'
import { type VerifyResponseOptions, verifyResponse } from '../domain/verify-response.ts'
import { unknownSession } from '../errors.ts'
import { zSessionParams } from './z-session-params.ts'

const largestPost = 256 * 1024

/**
 * Where the wallet posts its presentation (document 1, Endpoint a verifier exposes to the wallet).
 * The answer tells nothing of the verdict: the IDP's page does.
 *
 * @assumption A-30
 * @row 1.endpoints/endpoint-a-verifier-exposes-to-the-wallet.1..2 1.what-the-service-does.3 1.states-and-transitions.6..7
 */
export const postResponse = defineRoute<Dependencies>()({
  method: 'post',
  path: '/responses/:id',
  summary: 'Take a presentation',
  auth: 'none',
  crossOrigin: true,
  request: {
    params: zSessionParams,
    contentTypes: ['application/x-www-form-urlencoded'],
    limit: largestPost,
    // A field that is missing or sent twice is no reason to answer anything but 200.
    body: z.record(z.string(), z.unknown()).default({}),
    documented: z.looseObject({
      vp_token: z.string().describe('The presentation, a JWT'),
      presentation_submission: z.string().describe('JSON'),
      state: z.string().optional(),
    }),
  },
  responses: {
    200: {
      description: 'Taken; the body is empty or says where the holder goes on',
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
      const reason = isOpen ? 'it holds no presentation' : 'the session is over'
      log.info({ sessionId: session.session_id, reason }, 'a post to a session changed nothing')
      return taken()
    }
    const presentationSubmission = textOf(body.presentation_submission)
    const posted = { vpToken, presentationSubmission, state: textOf(body.state) }
    const decided = await decideSession(session, posted, dependencies)
    return decided
      ? taken(session.redirect_uri, responseCodeOf(session, dependencies.config))
      : taken()
  },
})

/** Judges a presentation and ends its session by it; false where the session had ended meanwhile. */
async function decideSession(
  session: Session,
  posted: Pick<VerifyResponseOptions, 'vpToken' | 'presentationSubmission' | 'state'>,
  dependencies: Dependencies,
): Promise<boolean> {
  const { config, runtime, sessions, reporter, log } = dependencies
  const { session_id } = session
  const { presentationSubmission } = posted
  const now = runtime.clock.seconds()
  const request = authorizationRequestOf(config, session)
  const { lookups, recorded } = recordLookups(dependencies.lookups, runtime.clock)
  const policy = credentialPolicyOf(config, session)
  const result = await verifyResponse({ ...posted, ...lookups, request, policy, now })
  recordVerdicts(result)
  const status = result.ok ? 'SUCCESS' : 'FAILED'
  const { failures } = result
  const unavailable = unavailableServices(recorded)
  const verdict = JSON.stringify({
    session_id,
    status,
    ...(result.ok ? { credential: result.vc, holder_did: result.holderDid } : {}),
    failures,
    unavailable,
  })
  const explanation = JSON.stringify(
    createExplanation({ request, presentationSubmission, result, lookups: recorded, now }),
  )
  if (!(await sessions.decide(session_id, { status, verdict, explanation }))) return false
  const rules = [...new Set(failures.map(({ rule }) => rule))]
  log[unavailable.length > 0 ? 'warn' : 'info'](
    { sessionId: session_id, status, rules, unavailable },
    unavailable.length > 0 ? 'a presentation could not be verified' : 'a presentation was judged',
  )
  await reporter.report(session, verdict)
  return true
}

function textOf(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined
}

function taken(redirectUri?: string | null, responseCode?: string): Reply {
  const headers = { 'cache-control': 'no-store' }
  if (!redirectUri || !responseCode) return { status: 200, headers, body: {} }
  const url = new URL(redirectUri)
  url.searchParams.set('response_code', responseCode)
  return { status: 200, headers, body: { redirect_uri: url.href } }
}
