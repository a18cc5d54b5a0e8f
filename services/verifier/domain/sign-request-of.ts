import type { PrivateJwk } from '#core/crypto/jwk.ts'
import { createSignedRequest } from '#core/oid4vp/signed-request.ts'
import type { VerifierConfig } from '../config.ts'
import type { SessionTable } from '../tables.ts'
import { authorizationRequestOf, type RequestSession } from './authorization-request-of.ts'

/**
 * The presentation request of a session as a JWT, signed by the verifier's registered DID. It ends
 * with the session.
 *
 * @assumption A-45
 */
export function signRequestOf(
  config: VerifierConfig,
  session: RequestSession & Pick<SessionTable, 'expires_at'>,
  privateKey: PrivateJwk,
  now: number,
): string {
  return createSignedRequest({
    request: authorizationRequestOf(config, session),
    kid: `${config.verifierDid}#${config.verifierVMethodId}`,
    privateKey,
    now,
    expiresAt: session.expires_at,
  })
}
