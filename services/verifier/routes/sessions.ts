import { z } from 'zod'
import { readCredentialStatus } from '#core/lear-credential/credential-status.ts'
import { defaultCredentialType } from '#core/lear-credential/lear-credential.ts'
import {
  createAuthorizationRequestReferenceUri,
  createAuthorizationRequestUri,
  createSignedAuthorizationRequestUri,
} from '#core/oid4vp/authorization-request.ts'
import { zQrLifetime } from '#kit/defaults.ts'
import { defineRoute } from '#kit/define-route.ts'
import type { Session } from '../adapters/session-store.ts'
import type { Dependencies } from '../dependencies.ts'
import { zExplanation } from '../domain/explanation.ts'
import {
  authorizationRequestOf,
  requestUriOf,
  signRequestOf,
} from '../domain/presentation-request.ts'
import { statusUnavailable, unknownSession } from '../errors.ts'

const zRequest = z.object({
  credential_type: z
    .string()
    .min(1)
    .max(200)
    .default(defaultCredentialType)
    .describe('The only accepted type (the IDP’s OID_CREDENTIAL)'),
  expires_in: zQrLifetime.optional().describe('Lifetime in seconds'),
  redirect_uri: z
    .url({ protocol: /^https?$/ })
    .max(2000)
    .optional()
    .describe('Where the wallet redirects its holder afterwards, with response_code added'),
  delivery: z
    .enum(['reference', 'value', 'signed'])
    .default('reference')
    .describe(
      'Content of the link: the address of the signed request, its parameters, or the request itself',
    ),
})

const zResponse = z.object({
  session_id: z.string().describe('ID of the session for this service and in the verdict'),
  request_uri: z.url(),
  authorization_request: z.string().describe('The openid4vp:// link for QR code and button'),
  expires_at: z.int().describe('Unix seconds'),
})

/** Starts a verification for the IDP. */
export const createSession = defineRoute<Dependencies>()({
  method: 'post',
  path: '/sessions',
  summary: 'Start a verification session',
  auth: 'apiKey',
  request: { body: zRequest, limit: 16_384 },
  responses: { 201: { description: 'The session', body: zResponse } },
  errors: ['invalid_request', 'invalid_api_key'],
  async handle({ body }, dependencies) {
    const { config, sessions } = dependencies
    const session = await sessions.create({
      credentialType: body.credential_type,
      redirectUri: body.redirect_uri,
      expiresIn: body.expires_in ?? config.sessionLifetimeSeconds,
    })
    return {
      status: 201,
      body: {
        session_id: session.session_id,
        request_uri: requestUriOf(config, session),
        authorization_request: linkTo(session, body.delivery, dependencies),
        expires_at: session.expires_at,
      },
    }
  },
})

function linkTo(
  session: Session,
  delivery: z.infer<typeof zRequest>['delivery'],
  { config, runtime, signingKey }: Dependencies,
): string {
  if (delivery === 'reference') {
    return createAuthorizationRequestReferenceUri(requestUriOf(config, session))
  }
  if (delivery === 'value') {
    return createAuthorizationRequestUri(authorizationRequestOf(config, session))
  }
  const requestJwt = signRequestOf(config, session, signingKey, runtime.clock.seconds())
  return createSignedAuthorizationRequestUri(config.verifierDid, requestJwt)
}

/** Ids are base64url; not every database accepts other values as text. */
export const zSessionParams = z.object({ id: z.string().regex(/^[\w-]{1,128}$/) })

const zSession = z.object({
  session_id: z.string(),
  status: z.enum(['PENDING', 'SUCCESS', 'FAILED']),
  credential_type: z.string(),
  created_at: z.int(),
  expires_at: z.int(),
  decided_at: z.int().nullable(),
  reported_at: z.int().nullable().describe('When the IDP confirmed the verdict'),
  explanation: zExplanation
    .nullable()
    .describe(
      'The presentation, the lookups and the result of each rule; null without a presentation',
    ),
})

/** For the operator: the basis of a session's verdict. Wallets never see it. */
export const getSession = defineRoute<Dependencies>()({
  method: 'get',
  path: '/sessions/:id',
  summary: 'A session with its explanation',
  auth: 'apiKey',
  request: { params: zSessionParams },
  responses: { 200: { description: 'The session', body: zSession } },
  errors: ['invalid_api_key', 'not_found'],
  invalidInput: unknownSession,
  async handle({ params }, { sessions, runtime }) {
    const session = await sessions.find('session_id', params.id)
    if (!session) throw unknownSession()
    const isOver = session.expires_at <= runtime.clock.seconds()
    return {
      status: 200,
      body: {
        session_id: session.session_id,
        status: session.status === 'PENDING' && isOver ? 'FAILED' : session.status,
        credential_type: session.credential_type,
        created_at: session.created_at,
        expires_at: session.expires_at,
        decided_at: session.decided_at,
        reported_at: session.reported_at,
        explanation: session.explanation === null ? null : JSON.parse(session.explanation),
      },
    }
  },
})

/**
 * For the IDP, if the user cancels the login: the wallet no longer gets the request, and its
 * response changes nothing.
 *
 * @assumption A-30
 */
export const cancelSession = defineRoute<Dependencies>()({
  method: 'post',
  path: '/sessions/:id/cancel',
  summary: 'End a pending verification session',
  auth: 'apiKey',
  request: { params: zSessionParams },
  responses: { 204: { description: 'The session has ended' } },
  errors: ['invalid_api_key', 'not_found'],
  invalidInput: unknownSession,
  async handle({ params }, { sessions }) {
    if (!(await sessions.find('session_id', params.id))) throw unknownSession()
    await sessions.cancel(params.id)
    return { status: 204 }
  },
})

/**
 * For the IDP, before it renews a login: whether the credential of the login is still valid.
 *
 * @assumption A-55
 */
export const postCredentialStatus = defineRoute<Dependencies>()({
  method: 'post',
  path: '/credentials/status',
  summary: 'Whether a credential was revoked or has expired since its presentation',
  auth: 'apiKey',
  request: {
    body: z.object({
      credential: z
        .record(z.string(), z.unknown())
        .describe('The vc claim, as it was in the verdict'),
    }),
  },
  responses: {
    200: {
      description: 'The status',
      body: z.object({ status: z.enum(['valid', 'revoked', 'expired']) }),
    },
  },
  errors: ['invalid_request', 'invalid_api_key', 'status_unavailable'],
  async handle({ body }, { config, runtime, lookups, verificationCache }) {
    const { checkCredentialStatus: checkStatus, credentialIssuerUrls } = config
    const result = await readCredentialStatus({
      vc: body.credential,
      policy: { checkStatus, credentialIssuerUrls },
      now: runtime.clock.seconds(),
      ...lookups,
      cache: verificationCache,
    })
    if (result.status === 'unknown') throw statusUnavailable(result.reason)
    return { status: 200, body: result }
  },
})
