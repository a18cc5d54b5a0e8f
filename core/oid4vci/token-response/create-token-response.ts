import type { TokenResponse, TokenResponseWire } from './z-token-response.ts'

/** The wire form of a token response (Document 1, Endpoints an issuer exposes to the wallet). */
export function createTokenResponse(response: Required<TokenResponse>): TokenResponseWire {
  return {
    access_token: response.accessToken,
    token_type: 'Bearer',
    expires_in: response.expiresIn,
    c_nonce: response.cNonce,
    c_nonce_expires_in: response.cNonceExpiresIn,
  }
}
