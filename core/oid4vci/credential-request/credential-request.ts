/** The wire form of a credential request (Document 1, Endpoints an issuer exposes to the wallet). */
export interface CredentialRequestWire {
  readonly format: string
  readonly types: readonly string[]
  readonly proof: { readonly proof_type: string; readonly jwt: string }
}

/** A credential request, whatever dialect it is written in. */
export interface CredentialRequest {
  readonly format: string
  readonly types: readonly string[]
  /** The proof of possession, a JWT. */
  readonly proofJwt: string
}
