import type { VerificationResult } from '#core/errors/verification-failure.ts'
import {
  type CredentialResponse,
  zDeferredCredentialResponse,
  zImmediateCredentialResponse,
} from './z-credential-response.ts'

/**
 * Reads the answer of the credential endpoint or of the deferred one. An answer that holds both a
 * credential and an acceptance token is the credential. Rule: `credential-response.shape`.
 */
export function parseCredentialResponse(
  value: unknown,
): VerificationResult<{ response: CredentialResponse }> {
  const immediate = zImmediateCredentialResponse.safeParse(value)
  if (immediate.success) {
    const { format, credential } = immediate.data
    const response = { kind: 'immediate', format, credential, ...nonceOf(immediate.data) } as const
    return { ok: true, response }
  }
  const deferred = zDeferredCredentialResponse.safeParse(value)
  if (deferred.success) {
    const { acceptance_token, interval } = deferred.data
    return {
      ok: true,
      response: {
        kind: 'deferred',
        acceptanceToken: acceptance_token,
        ...(interval === undefined ? {} : { interval }),
        ...nonceOf(deferred.data),
      },
    }
  }
  const reason = 'the answer holds neither a credential with its format nor an acceptance_token'
  return { ok: false, failures: [{ rule: 'credential-response.shape', reason, path: '' }] }
}

function nonceOf({
  c_nonce,
  c_nonce_expires_in,
}: {
  readonly c_nonce?: string | undefined
  readonly c_nonce_expires_in?: number | undefined
}) {
  return {
    ...(c_nonce === undefined ? {} : { cNonce: c_nonce }),
    ...(c_nonce_expires_in === undefined ? {} : { cNonceExpiresIn: c_nonce_expires_in }),
  }
}
