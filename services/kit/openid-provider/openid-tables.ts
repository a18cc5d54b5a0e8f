/** Something that oidc-provider keeps: a session, an interaction, a code, a grant, a token. */
export interface OpenidArtifactTable {
  /** Name of the model: `Session`, `AuthorizationCode`, … */
  model: string
  /** Digest of the id. */
  id: string
  /** The model's members, as `writePayload` writes them. */
  payload: string
  /** Set for what is revoked together with its grant. */
  grant_id: string | null
  /** A session's second identifier. */
  uid: string | null
  /** Unix seconds. */
  expires_at: number | null
  /** Unix seconds. */
  consumed_at: number | null
}

/** A private key that signs tokens. */
export interface OpenidSigningKeyTable {
  /** Counts from 1; the highest one signs, older ones stay in the key set. */
  generation: number
  kid: string
  private_jwk: string
  /** Unix seconds. */
  created_at: number
}

/** The tables that a service with an OpenID provider adds to its own schema. */
export interface OpenidTables {
  openid_artifacts: OpenidArtifactTable
  openid_signing_keys: OpenidSigningKeyTable
}
