import type { IssuerMetadata, IssuerMetadataWire } from './z-issuer-metadata.ts'

/**
 * The wire form of issuer metadata (Document 1, Issuer metadata). The token and the deferred
 * endpoint are named beyond the document; wallets that know only the document find both at the
 * paths that it gives.
 */
export function createIssuerMetadata(metadata: IssuerMetadata): IssuerMetadataWire {
  return {
    credential_issuer: metadata.credentialIssuer,
    credential_endpoint: metadata.credentialEndpoint,
    token_endpoint: metadata.tokenEndpoint,
    deferred_credential_endpoint: metadata.deferredCredentialEndpoint,
    credentials_supported: metadata.credentialsSupported.map((entry) => ({
      format: entry.format,
      id: entry.id,
      types: [...entry.types],
      cryptographic_binding_methods_supported: [...entry.bindingMethods],
      cryptographic_suites_supported: [...entry.suites],
    })),
  }
}
