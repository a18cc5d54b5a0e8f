import { parseJws } from '#core/crypto/jws.ts'
import { jose } from '#kit/lazy.ts'
import type { CurrentProvider } from '../adapters/provider-source.ts'
import type { Dependencies } from '../dependencies.ts'
import { insufficientScope, invalidToken } from '../errors.ts'

export interface AccessToken {
  readonly subject: string
  readonly grantId: string
  readonly scopes: readonly string[]
  /** Claims of the mappers at the time of the verification. */
  readonly claimsFor: CurrentProvider['claimsFor']
}

/**
 * Verifies an access token of this provider: signature with RS256 by one of its keys, typ at+jwt,
 * iss, aud, exp, the scope openid, and that its grant has not been revoked.
 *
 * @throws TestbedError `invalid_token` (401), `insufficient_scope` (403)
 * @assumption A-32
 */
export async function verifyAccessToken(
  token: string,
  { config, runtime, providers }: Dependencies,
): Promise<AccessToken> {
  // jose decodes base64url leniently: one token would have several spellings.
  if (!parseJws(token).ok) throw invalidToken()
  const { provider, readKeySet, claimsFor } = await providers.read()
  const { errors, jwtVerify } = jose()
  const { payload } = await jwtVerify(token, readKeySet(), {
    algorithms: ['RS256'],
    typ: 'at+jwt',
    issuer: config.baseUrl,
    audience: config.baseUrl,
    requiredClaims: ['sub', 'exp', 'client_id', 'grant_id'],
    currentDate: new Date(runtime.clock.milliseconds()),
  }).catch((cause) => {
    throw cause instanceof errors.JOSEError ? invalidToken(cause) : cause
  })
  const { sub: subject = '', client_id: clientId, grant_id: grantId, scope } = payload
  const grant = await provider.Grant.find(String(grantId))
  if (grant?.accountId !== subject || grant.clientId !== clientId) throw invalidToken()
  const scopes = typeof scope === 'string' ? scope.split(' ') : []
  if (!scopes.includes('openid')) throw insufficientScope()
  return { subject, grantId: String(grantId), scopes, claimsFor }
}
