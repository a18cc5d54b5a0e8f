/** The one credential format of the documents: a JWT without JSON-LD processing. */
export const jwtVcJson = 'jwt_vc_json'

/** What wallets may sign with (Document 1, Supported curves). */
export const cryptographicSuites = ['ES256K', 'EdDSA'] as const

/** How wallets may name their keys (Document 1, Supported curves). */
export const cryptographicBindingMethods = ['did:key', 'did:jwk'] as const

/** The type that each credential has beside its own. */
export const verifiableCredentialType = 'VerifiableCredential'
