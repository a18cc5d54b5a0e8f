/** The JWS algorithms that this project signs or verifies with (RFC 7518, RFC 8037, RFC 8812). */
export type SigningAlgorithm = 'ES256K' | 'EdDSA' | 'ES256' | 'RS256'

/** Names of curves as in the `crv` member of a JWK. */
export type Curve = 'secp256k1' | 'Ed25519' | 'P-256'

/** A public key as a JWK (RFC 7517). */
export interface PublicJwk {
  kty: string
  crv?: string
  x?: string
  y?: string
  n?: string
  e?: string
  kid?: string
  alg?: string
  use?: string
}

/** A private key as a JWK. The members after `d` belong to RSA keys. */
export interface PrivateJwk extends PublicJwk {
  d: string
  p?: string
  q?: string
  dp?: string
  dq?: string
  qi?: string
}
