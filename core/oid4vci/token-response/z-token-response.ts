import { z } from 'zod'

/** The wire form of a token response (Document 1, Endpoints an issuer exposes to the wallet). */
export const zTokenResponse = z.looseObject({
  access_token: z.string().min(1),
  // In any case (RFC 6749, 5.1); a JSON Schema's pattern has no flags.
  token_type: z.string().regex(/^[Bb][Ee][Aa][Rr][Ee][Rr]$/),
  expires_in: z.number().optional(),
  c_nonce: z.string().min(1).optional(),
  c_nonce_expires_in: z.number().optional(),
})

export type TokenResponseWire = z.infer<typeof zTokenResponse>

export interface TokenResponse {
  readonly accessToken: string
  /** Seconds. */
  readonly expiresIn?: number
  /** Present where the issuer demands proof of possession. */
  readonly cNonce?: string
  /** Seconds. */
  readonly cNonceExpiresIn?: number
}
