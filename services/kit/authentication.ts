import type * as Jose from 'jose'
import { parseJws } from '#core/crypto/jws.ts'
import type { HttpClient } from './create-http-client.ts'
import { keySetCacheSeconds } from './defaults.ts'
import { dependencyUnavailable, invalidApiKey, invalidToken } from './errors.ts'
import { jose } from './lazy.ts'
import type { Authentication } from './register-route.ts'
import { type Clock, forgetOnRestore, type Snapshots } from './runtime.ts'
import { secretsEqual } from './secrets.ts'

/**
 * Accepts requests that send one of the given keys as `x-api-key` (profile/issuer,
 * Authentication, and profile/tir, JSON-RPC).
 * @row 1.authentication.2
 * @assumption A-25 401 if the key is missing or wrong
 */
export function apiKeyAuthentication(keys: readonly string[]): Authentication {
  return (request) => {
    const given = request.get('x-api-key') ?? ''
    // Compares every key, so that the time does not reveal which one is close.
    const matches = keys.filter((key) => secretsEqual(given, key))
    if (matches.length > 0) return undefined
    throw invalidApiKey(given === '')
  }
}

export interface BearerOptions {
  readonly jwksUri: string
  /** Client that fetches the key set. */
  readonly client: HttpClient
  readonly clock: Clock
  readonly issuer?: string
  readonly audience?: string
  /** Tolerated clock difference in seconds. Default: 0. */
  readonly clockToleranceSeconds?: number
  /**
   * After this many seconds the key set is fetched again, so that a withdrawn key stops working.
   */
  readonly cacheSeconds?: number
  /** A restored snapshot discards the cached key set: the clock may have been set back. */
  readonly snapshots?: Snapshots
}

/** An unknown key triggers a refetch of the set, but not more often than this. */
const refetchMilliseconds = 1000

/**
 * Verifies `Authorization: Bearer` tokens against the key set at JWKS_URI (profile/issuer,
 * Authentication 1): RS256 and ES256, expiry, and issuer and audience if configured.
 * The principal is the token's payload. Rotated keys are picked up automatically. An unreadable key
 * set is a server error (503), not the caller's.
 * @row 1.authentication.1
 * @assumption A-46 algorithms; issuer and audience are settings
 */
export function bearerAuthentication(options: BearerOptions): Authentication {
  const createKeySet = () =>
    jose().createRemoteJWKSet(new URL(options.jwksUri), {
      [jose().customFetch]: pauseAfterFailure(options.client.fetch),
      cooldownDuration: refetchMilliseconds,
      cacheMaxAge: (options.cacheSeconds ?? keySetCacheSeconds) * 1000,
    })
  let keys: RemoteKeySet | undefined
  if (options.snapshots !== undefined) {
    forgetOnRestore(options.snapshots, () => {
      keys = undefined
    })
  }
  return async (request): Promise<Jose.JWTPayload> => {
    const authorization = request.get('authorization')
    if (authorization === undefined) throw invalidToken('Bearer')
    const token = authorization.match(/^Bearer +([^\s]+)$/i)?.[1]
    // jose decodes base64url leniently: one token would have several spellings.
    if (token === undefined || !parseJws(token).ok) {
      throw invalidToken('Bearer error="invalid_token"')
    }
    keys ??= createKeySet()
    const { errors } = jose()
    try {
      return await verifyWithKeySet(token, keys, {
        algorithms: ['RS256', 'ES256'],
        requiredClaims: ['exp'],
        currentDate: new Date(options.clock.milliseconds()),
        clockTolerance: options.clockToleranceSeconds ?? 0,
        ...(options.issuer === undefined ? {} : { issuer: options.issuer }),
        ...(options.audience === undefined ? {} : { audience: options.audience }),
      })
    } catch (cause) {
      const unreadable =
        cause instanceof errors.JWKSTimeout ||
        cause instanceof errors.JWKSInvalid ||
        (cause instanceof errors.JOSEError && cause.code === 'ERR_JOSE_GENERIC') ||
        cause instanceof TypeError
      if (!unreadable) throw invalidToken('Bearer error="invalid_token"', cause)
      const message = 'The key set of the token issuer could not be read. Try again later.'
      throw dependencyUnavailable(message, options.jwksUri, cause)
    }
  }
}

type RemoteKeySet = ReturnType<typeof Jose.createRemoteJWKSet>

/**
 * A token without kid may be signed by any key of its algorithm, even one newer than the cached
 * set: tries each key, then once more with a refetched set.
 */
async function verifyWithKeySet(token: string, keys: RemoteKeySet, options: Jose.JWTVerifyOptions) {
  const { errors } = jose()
  try {
    return await verifyWithEachKey(token, keys, options)
  } catch (error) {
    const mayBeNewer = error instanceof errors.JWSSignatureVerificationFailed && !hasKid(token)
    if (!mayBeNewer || keys.coolingDown) throw error
    await keys.reload()
    return verifyWithEachKey(token, keys, options)
  }
}

async function verifyWithEachKey(
  token: string,
  keys: RemoteKeySet,
  options: Jose.JWTVerifyOptions,
) {
  const { errors, jwtVerify } = jose()
  try {
    return (await jwtVerify(token, keys, options)).payload
  } catch (error) {
    if (!(error instanceof errors.JWKSMultipleMatchingKeys)) throw error
    for await (const key of error) {
      try {
        return (await jwtVerify(token, key, options)).payload
      } catch (problem) {
        if (!(problem instanceof errors.JWSSignatureVerificationFailed)) throw problem
      }
    }
    throw new errors.JWSSignatureVerificationFailed()
  }
}

function hasKid(token: string): boolean {
  return jose().decodeProtectedHeader(token).kid !== undefined
}

/** An unreachable key set is not fetched again by every request that needs it. */
function pauseAfterFailure(fetchKeys: typeof globalThis.fetch): typeof globalThis.fetch {
  let failure: { readonly at: number; readonly error: unknown } | undefined
  return async (input, init) => {
    if (failure && performance.now() - failure.at < refetchMilliseconds) throw failure.error
    try {
      const response = await fetchKeys(input, init)
      failure = undefined
      return response
    } catch (error) {
      failure = { at: performance.now(), error }
      throw error
    }
  }
}
