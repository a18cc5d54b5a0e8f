import type { CredentialResponse } from './z-credential-response.ts'

/** The wire form of the credential endpoint's answer, immediate or deferred. */
export function createCredentialResponse(
  response: CredentialResponse,
): Readonly<Record<string, unknown>> {
  if (response.kind === 'immediate') {
    return { format: response.format, credential: response.credential }
  }
  const { acceptanceToken, cNonce, cNonceExpiresIn } = response
  return {
    acceptance_token: acceptanceToken,
    ...(cNonce === undefined ? {} : { c_nonce: cNonce }),
    ...(cNonceExpiresIn === undefined ? {} : { c_nonce_expires_in: cNonceExpiresIn }),
  }
}
