import { createRemoteJWKSet, customFetch, errors, type JWTPayload, jwtVerify } from 'jose'
import { TestbedError } from '#core/errors/testbed-error.ts'
import type { Clock } from '#kit/clock.ts'
import type { HttpClient } from '#kit/create-http-client.ts'
import type { Authentication } from '#kit/register-route.ts'

export interface BearerOptions {
  readonly jwksUri: string
  /** Client through which the key set is fetched. */
  readonly client: HttpClient
  readonly clock: Clock
  readonly issuer?: string
  readonly audience?: string
  /** Seconds by which clocks may differ. Default: 5. */
  readonly clockToleranceSeconds?: number
}

const unauthorized = (cause?: unknown) =>
  new TestbedError({
    code: 'invalid_token',
    status: 401,
    message: 'invalid token',
    headers: { 'www-authenticate': 'Bearer error="invalid_token"' },
    cause,
  })

/**
 * Verifies `Authorization: Bearer` tokens against the key set at JWKS_URI (document 1,
 * Authentication 1): RS256 and ES256, expiry, and issuer and audience where set. The principal is
 * the token's payload. A key set that can't be read is the server's fault (503), not the caller's.
 * @assumption A-46 algorithms; issuer and audience are settings
 */
export function bearerAuthentication(options: BearerOptions): Authentication {
  const keys = createRemoteJWKSet(new URL(options.jwksUri), {
    [customFetch]: options.client.fetch,
    cooldownDuration: 1000,
  })
  return async (request): Promise<JWTPayload> => {
    const token = request.get('authorization')?.match(/^Bearer ([^\s]+)$/i)?.[1]
    if (token === undefined) throw unauthorized()
    try {
      const { payload } = await jwtVerify(token, keys, {
        algorithms: ['RS256', 'ES256'],
        requiredClaims: ['exp'],
        currentDate: new Date(options.clock.milliseconds()),
        clockTolerance: options.clockToleranceSeconds ?? 5,
        ...(options.issuer === undefined ? {} : { issuer: options.issuer }),
        ...(options.audience === undefined ? {} : { audience: options.audience }),
      })
      return payload
    } catch (cause) {
      const unreadable =
        cause instanceof errors.JWKSTimeout ||
        cause instanceof errors.JWKSInvalid ||
        (cause instanceof errors.JOSEError && cause.code === 'ERR_JOSE_GENERIC') ||
        cause instanceof TypeError
      if (!unreadable) throw unauthorized(cause)
      throw new TestbedError({
        code: 'dependency_unavailable',
        status: 503,
        message: 'The key set of the token issuer could not be read. Try again later.',
        detail: options.jwksUri,
        cause,
      })
    }
  }
}
