import { errors } from 'oidc-provider'
import { isTestbedError } from '#core/errors/testbed-error.ts'
import type { Dependencies } from '../dependencies.ts'

/**
 * Refuses to renew a login whose credential was revoked or has expired (RFC 6749, 5.2:
 * `invalid_grant`). If the verification service cannot determine that, the answer is 503, and the
 * refresh token stays as good as it was, since oidc-provider uses it up only afterwards.
 *
 * @assumption A-55
 */
export async function requireGoodStanding(
  credential: unknown,
  { verifier, log }: Pick<Dependencies, 'verifier' | 'log'>,
): Promise<void> {
  const status = await verifier.readCredentialStatus(credential).catch((error) => {
    if (!isTestbedError(error)) throw error
    log.warn({ detail: error.detail }, 'a login was not renewed: the status is unknown')
    const message = 'The status of the credential cannot be determined. Try again later.'
    throw Object.assign(
      new errors.CustomOIDCProviderError('temporarily_unavailable', message, { cause: error }),
      { status: 503, statusCode: 503 },
    )
  })
  if (status === 'valid') return
  const happened = status === 'revoked' ? 'was revoked' : 'has expired'
  throw new errors.CustomOIDCProviderError(
    'invalid_grant',
    `The credential of this login ${happened}.`,
  )
}
