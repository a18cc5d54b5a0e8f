import { z } from 'zod'
import { isTestbedError } from '#core/errors/testbed-error.ts'
import { maskSecrets } from '#core/json/mask-secrets.ts'
import { createHttpClient } from '#kit/create-http-client.ts'
import type { Runtime } from '#kit/runtime.ts'
import type { IdpConfig } from '../config.ts'
import { verifierUnavailable } from '../errors.ts'

const zSession = z.object({
  session_id: z.string().min(1),
  authorization_request: z.string().min(1),
  expires_at: z.int(),
})

const zStatus = z.object({ status: z.enum(['valid', 'revoked', 'expired']) })

const zHealth = z.object({ dependencies: z.record(z.string(), z.string()).default({}) })

const zRule = z.object({
  rule: z.string(),
  statement: z.string(),
  fix: z.string().optional(),
  path: z.string().default(''),
  passed: z.boolean(),
  notes: z.array(z.string()).default([]),
})
const zFailure = z.object({
  rule: z.string(),
  reason: z.string(),
  path: z.string().default(''),
  got: z.unknown().optional(),
})
const zLookup = z.object({
  service: z.string(),
  what: z.string(),
  found: z.boolean(),
  unavailable: z.boolean().default(false),
  reason: z.string().optional(),
  milliseconds: z.number(),
})
const zTrustStep = z.object({
  did: z.string(),
  attribute_id: z.string().default(''),
  issuer_type: z.string().default(''),
  tao: z.string().default(''),
})

/**
 * The verification service's explanation of a verdict for its operator; missing members are empty.
 */
const zExplanation = z.looseObject({
  holder_did: z.string().optional(),
  checked: z.array(zRule).default([]),
  failures: z.array(zFailure).default([]),
  lookups: z.array(zLookup).default([]),
  trust_chain: z.array(zTrustStep).default([]),
  presentation: z.unknown(),
  credential: z.unknown(),
})

export type Explanation = z.infer<typeof zExplanation>

const zExplainedSession = z.object({ explanation: zExplanation.nullable() })

// The verification service waits for other services before it responds.
const longestWaitMilliseconds = 3000

export interface VerifierSession {
  readonly id: string
  /** The openid4vp:// link. */
  readonly authorizationRequest: string
  /** Unix seconds. */
  readonly expiresAt: number
}

export interface VerifierClient {
  /**
   * Starts a verification.
   * @param redirectUri where the wallet redirects its holder afterwards
   * @throws TestbedError `verifier_unavailable` (503)
   */
  createSession(redirectUri: string | undefined): Promise<VerifierSession>
  /**
   * Ends a pending verification, so that a late presentation changes nothing.
   * @throws TestbedError `verifier_unavailable` (503) if the verification service did not end it
   */
  cancelSession(sessionId: string): Promise<void>
  /**
   * Returns whether the credential of a login has been revoked or has expired since its
   * presentation.
   * @param credential its `vc` claim
   * @throws TestbedError `verifier_unavailable` (503) if that cannot be determined
   */
  readCredentialStatus(credential: unknown): Promise<z.infer<typeof zStatus>['status']>
  /**
   * Returns the basis of a session's verdict, with secrets masked: `undefined` if nothing has been
   * presented, `unavailable` if the verification service sends no valid response.
   */
  explain(sessionId: string): Promise<Explanation | undefined | 'unavailable'>
  /**
   * Returns the states of those that do not work: the verification service (`verifier`) and its
   * dependencies. `undefined` if all work.
   */
  readUnavailable(): Promise<Readonly<Record<string, string>> | undefined>
}

/**
 * The IDP's client of the verification service. It requests the one accepted type.
 *
 * @row 1.resources-and-their-fields/credential-schema-rules-checked-on-presentation.7
 */
export function createVerifierClient(config: IdpConfig, runtime: Runtime): VerifierClient {
  const verifier = createHttpClient(runtime, {
    caller: 'idp',
    dependency: 'verification service',
    baseUrl: config.verifierUrl,
    faults: ['verifier-down'],
    headers: { 'x-api-key': config.verifierApiKey },
  })
  const post = (path: string, json: object) =>
    verifier.postJson(path, json).catch((error) => {
      throw isTestbedError(error)
        ? verifierUnavailable(error.detail ?? error.message, error)
        : error
    })
  return {
    async createSession(redirectUri) {
      const answer = await post('/sessions', {
        credential_type: config.oidCredential,
        expires_in: config.verificationLifetime ?? config.qrExpirationTime,
        ...(redirectUri === undefined ? {} : { redirect_uri: redirectUri }),
      })
      const session = zSession.safeParse(answer.json)
      if (answer.status !== 201 || !session.success) {
        throw verifierUnavailable(`POST /sessions: status ${answer.status}`)
      }
      const { session_id: id, authorization_request, expires_at } = session.data
      return { id, authorizationRequest: authorization_request, expiresAt: expires_at }
    },

    async cancelSession(sessionId) {
      const { status } = await post(`/sessions/${encodeURIComponent(sessionId)}/cancel`, {})
      if (status !== 204) throw verifierUnavailable(`POST /sessions/{id}/cancel: status ${status}`)
    },

    async readCredentialStatus(credential) {
      const answer = await post('/credentials/status', { credential })
      const result = zStatus.safeParse(answer.json)
      if (answer.status === 200 && result.success) return result.data.status
      throw verifierUnavailable(`POST /credentials/status: status ${answer.status}`)
    },

    async explain(sessionId) {
      const path = `/sessions/${encodeURIComponent(sessionId)}`
      const answer = await verifier.getJson(path).catch((error) => {
        if (isTestbedError(error)) return undefined
        throw error
      })
      const session = zExplainedSession.safeParse(maskSecrets(answer?.json))
      if (answer?.status !== 200 || !session.success) return 'unavailable'
      return session.data.explanation ?? undefined
    },

    async readUnavailable() {
      try {
        const { status, json } = await verifier.request('/health', {
          timeoutMilliseconds: longestWaitMilliseconds,
        })
        const health = zHealth.safeParse(json)
        const states = Object.entries(health.data?.dependencies ?? {})
        const unavailable = states.filter(([, state]) => state !== 'connected')
        if (unavailable.length > 0) return Object.fromEntries(unavailable)
        // A third-party verifier may not have this endpoint; any response proves that it is up.
        return status < 500 ? undefined : { verifier: 'unavailable' }
      } catch {
        return { verifier: 'unavailable' }
      }
    },
  }
}
