import type { Request } from 'express'
import type { Authentication } from '#kit/register-route.ts'
import type { Runtime } from '#kit/runtime.ts'
import type { IssuanceStore } from '../adapters/issuance-store.ts'
import { invalidToken } from '../errors.ts'
import type { IssuanceRow } from '../tables.ts'

/**
 * Finds the issuance that an access token of this connector belongs to. Only the Authorization
 * header counts (RFC 6750; a token in the query is none). 401 `invalid_token` otherwise.
 */
export function accessTokenAuthentication(
  issuances: IssuanceStore,
  { clock }: Runtime,
): Authentication {
  return async (request): Promise<IssuanceRow> => {
    const header = request.get('authorization')
    if (header === undefined) throw invalidToken('An access token is required.', 'Bearer')
    const token = bearerOf(request)
    const issuance = token === undefined ? undefined : await issuances.findByAccessToken(token)
    if (!issuance || (issuance.access_token_expires_at ?? 0) <= clock.seconds()) {
      throw invalidToken(
        'The access token is unknown or has expired.',
        'Bearer error="invalid_token"',
      )
    }
    return issuance
  }
}

/** The token in the Authorization header. */
export function bearerOf(request: Request): string | undefined {
  const header = request.get('authorization') ?? ''
  return /^Bearer ([A-Za-z0-9._~+/=-]+)$/i.exec(header)?.[1]
}
