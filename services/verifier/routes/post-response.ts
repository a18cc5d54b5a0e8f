import { z } from 'zod'
import { parseVpToken } from '#core/oid4vp/vp-token/parse-vp-token.ts'
import { defineRoute, type Reply } from '#kit/define-route.ts'
import { recordLookups } from '../adapters/record-lookups.ts'
import type { Dependencies } from '../dependencies.ts'
import { verifyResponse } from '../domain/verify-response.ts'
import { unknownSession } from '../errors.ts'
import { zSessionParams } from './z-session-params.ts'

const largestPost = 256 * 1024

/**
 * Where the wallet posts its presentation (document 1, Endpoint a verifier exposes to the wallet).
 * The answer tells nothing of the verdict: the IDP's page does.
 *
 * @assumption A-30
 */
export const postResponse = defineRoute<Dependencies>()({
  method: 'post',
  path: '/responses/:id',
  summary: 'Take a presentation',
  auth: 'none',
  request: {
    params: zSessionParams,
    contentTypes: ['application/x-www-form-urlencoded'],
    limit: largestPost,
    // A field that is missing or sent twice is no reason to answer anything but 200.
    body: z.record(z.string(), z.unknown()).default({}),
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
    const { config, runtime, sessions, reporter } = dependencies
    const session = await sessions.find('request_id', params.id)
    if (!session) throw unknownSession()
    const vpToken = parseVpToken(textOf(body.vp_token))
    const now = runtime.clock.seconds()
    if (session.status !== 'PENDING' || session.expires_at <= now || !vpToken) return taken()

    const { lookups, recorded } = recordLookups(dependencies.lookups, runtime.clock)
    const result = await verifyResponse({
      vpToken,
      presentationSubmission: textOf(body.presentation_submission),
      state: textOf(body.state),
      request: { nonce: session.nonce, state: session.state, clientId: config.verifierDid },
      policy: {
        environment: config.environment,
        tirBaseUrl: config.tirBaseUrl,
        rootDids: config.rootDids,
        credentialIssuerUrls: config.credentialIssuerUrls,
        checkStatus: config.checkCredentialStatus,
        acceptedType: session.credential_type,
      },
      now,
      ...lookups,
    })
    const status = result.ok ? 'SUCCESS' : 'FAILED'
    const verdict = JSON.stringify({
      session_id: session.session_id,
      status,
      response_code: session.response_code,
      ...(result.ok ? { credential: result.vc, holder_did: result.holderDid } : {}),
      failures: result.failures,
      unavailable: [
        ...new Set(recorded.filter((each) => each.unavailable).map(({ service }) => service)),
      ],
    })
    const explanation = JSON.stringify({
      presentation: result.presentation,
      credential: result.credential,
      holder_did: result.holderDid,
      trust_chain: result.trustChain,
      checked: result.checked,
      failures: result.failures,
      lookups: recorded,
    })
    const decided = await sessions.decide(session.session_id, { status, verdict, explanation })
    // Another post, or the end of the session, was faster.
    if (!decided) return taken()
    await reporter.report(session, verdict)
    return taken(session.redirect_uri, session.response_code)
  },
})

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
