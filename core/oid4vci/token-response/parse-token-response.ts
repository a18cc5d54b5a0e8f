import type { VerificationResult } from '#core/errors/verification-failure.ts'
import { type TokenResponse, zTokenResponse } from './z-token-response.ts'

/** Reads a token response. Rule: `token-response.shape`, one failure a member. */
export function parseTokenResponse(value: unknown): VerificationResult<{ token: TokenResponse }> {
  const result = zTokenResponse.safeParse(value)
  if (!result.success) {
    const failures = result.error.issues.map(({ path, message }) => ({
      rule: 'token-response.shape',
      reason: message,
      path: path.join('.'),
    }))
    return { ok: false, failures }
  }
  const { access_token, expires_in, c_nonce, c_nonce_expires_in } = result.data
  return {
    ok: true,
    token: {
      accessToken: access_token,
      ...(expires_in === undefined ? {} : { expiresIn: expires_in }),
      ...(c_nonce === undefined ? {} : { cNonce: c_nonce }),
      ...(c_nonce_expires_in === undefined ? {} : { cNonceExpiresIn: c_nonce_expires_in }),
    },
  }
}
