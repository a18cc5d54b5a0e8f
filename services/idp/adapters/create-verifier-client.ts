import { z } from 'zod'
import { isTestbedError, TestbedError } from '#core/errors/testbed-error.ts'
import { createHttpClient } from '#kit/create-http-client.ts'
import type { Runtime } from '#kit/runtime.ts'
import type { IdpConfig } from '../config.ts'

const zSession = z.object({
  session_id: z.string().min(1),
  authorization_request: z.string().min(1),
  expires_at: z.int(),
})

const zStatus = z.object({ status: z.enum(['valid', 'revoked', 'expired']) })

const zHealth = z.object({ dependencies: z.record(z.string(), z.string()).default({}) })

const connected = 'connected'

// The verification service waits for others before it answers.
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
   * Begins a verification.
   * @param redirectUri where the wallet leads its holder afterwards
   * @throws TestbedError `verifier_unavailable` (503)
   */
  createSession(redirectUri: string | undefined): Promise<VerifierSession>
  /**
   * Whether the credential behind a login was revoked, or has expired, since it was presented.
   * @param credential its `vc` claim
   * @throws TestbedError `verifier_unavailable` (503) if that cannot be determined
   */
  readCredentialStatus(credential: unknown): Promise<z.infer<typeof zStatus>['status']>
  /** The state of what presentations need to be verified: `verifier`, and what it depends on. */
  readDependencies(): Promise<Readonly<Record<string, string>>>
}

/**
 * The verification service, as the IDP uses it: it is told the one accepted type.
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
  const unavailable = (detail: string, cause?: unknown) =>
    new TestbedError({
      code: 'verifier_unavailable',
      status: 503,
      message: 'The verification service is not available. Try again later.',
      detail,
      cause,
    })
  const post = (path: string, json: object) =>
    verifier.postJson(path, json).catch((error) => {
      throw isTestbedError(error) ? unavailable(error.detail ?? error.message, error) : error
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
        throw unavailable(`POST /sessions: status ${answer.status}`)
      }
      const { session_id: id, authorization_request, expires_at } = session.data
      return { id, authorizationRequest: authorization_request, expiresAt: expires_at }
    },

    async readCredentialStatus(credential) {
      const answer = await post('/credentials/status', { credential })
      const result = zStatus.safeParse(answer.json)
      if (answer.status === 200 && result.success) return result.data.status
      throw unavailable(`POST /credentials/status: status ${answer.status}`)
    },

    async readDependencies() {
      try {
        const signal = AbortSignal.timeout(longestWaitMilliseconds)
        const response = await verifier.fetch(`${config.verifierUrl}/health`, { signal })
        const health = zHealth.safeParse(await response.json().catch(() => undefined))
        const states = health.data?.dependencies ?? {}
        // A service of another make may have no such address, which is an answer.
        const isItself = response.status < 500 || Object.values(states).some((s) => s !== connected)
        return { verifier: isItself ? connected : 'unavailable', ...states }
      } catch {
        return { verifier: 'unavailable' }
      }
    },
  }
}
