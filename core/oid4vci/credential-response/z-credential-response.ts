import { z } from 'zod'

const cNonce = {
  c_nonce: z.string().optional(),
  c_nonce_expires_in: z.number().optional(),
}

/** The immediate answer (Document 1, Endpoints an issuer exposes to the wallet). */
export const zImmediateCredentialResponse = z.looseObject({
  format: z.string(),
  credential: z.string().min(1),
  ...cNonce,
})

/** The answer where the credential is not ready yet. */
export const zDeferredCredentialResponse = z.looseObject({
  acceptance_token: z.string().min(1),
  // OpenID4VCI 1.0, 9.2; the document has none. One that makes no sense is passed over.
  interval: z.number().positive().optional().catch(undefined),
  ...cNonce,
})

export const zCredentialResponse = z.union([
  zImmediateCredentialResponse,
  zDeferredCredentialResponse,
])

/** The answer of the credential endpoint, whatever dialect it is written in. */
export type CredentialResponse = {
  /** For the next request with this access token. */
  readonly cNonce?: string
  /** Seconds. */
  readonly cNonceExpiresIn?: number
} & (
  | { readonly kind: 'immediate'; readonly format: string; readonly credential: string }
  | {
      readonly kind: 'deferred'
      readonly acceptanceToken: string
      /** Seconds that the wallet should let pass before it asks again. */
      readonly interval?: number
    }
)
