import type { CredentialResponse } from './z-credential-response.ts'

/** The wire form of the credential endpoint's answer, immediate or deferred. */
export function createCredentialResponse(
  response: CredentialResponse,
): Readonly<Record<string, unknown>> {
  const { cNonce, cNonceExpiresIn } = response
  return {
    ...(response.kind === 'immediate'
      ? { format: response.format, credential: response.credential }
      : { acceptance_token: response.acceptanceToken }),
    ...(cNonce === undefined ? {} : { c_nonce: cNonce }),
    ...(cNonceExpiresIn === undefined ? {} : { c_nonce_expires_in: cNonceExpiresIn }),
  }
}
