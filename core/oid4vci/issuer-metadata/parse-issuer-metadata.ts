import type { VerificationResult } from '#core/errors/verification-failure.ts'
import { type IssuerMetadata, zIssuerMetadata } from './z-issuer-metadata.ts'

/**
 * Reads issuer metadata that was fetched for the given credential issuer. Rules: `metadata.shape`;
 * `metadata.issuer`, as metadata that names another issuer is not to be used (OpenID4VCI, section
 * on credential issuer metadata). Endpoints that the metadata does not name are at the document's
 * paths below the issuer.
 */
export function parseIssuerMetadata(
  value: unknown,
  credentialIssuer: string,
): VerificationResult<{ metadata: IssuerMetadata }> {
  const result = zIssuerMetadata.safeParse(value)
  if (!result.success) {
    const failures = result.error.issues.map(({ path, message }) => ({
      rule: 'metadata.shape',
      reason: message,
      path: path.join('.'),
    }))
    return { ok: false, failures }
  }
  const wire = result.data
  if (wire.credential_issuer !== credentialIssuer) {
    const failure = {
      rule: 'metadata.issuer',
      reason: `the metadata is not that of ${credentialIssuer}`,
      path: 'credential_issuer',
      got: wire.credential_issuer,
    }
    return { ok: false, failures: [failure] }
  }
  const base = credentialIssuer.replace(/\/$/, '')
  return {
    ok: true,
    metadata: {
      credentialIssuer,
      credentialEndpoint: wire.credential_endpoint,
      tokenEndpoint: webAddress(wire.token_endpoint) ?? `${base}/token`,
      deferredCredentialEndpoint:
        webAddress(wire.deferred_credential_endpoint) ?? `${base}/deferred_credential`,
      credentialsSupported: wire.credentials_supported.map((entry) => ({
        id: entry.id,
        format: entry.format,
        types: entry.types,
        bindingMethods: entry.cryptographic_binding_methods_supported ?? [],
        suites: entry.cryptographic_suites_supported ?? [],
      })),
    },
  }
}

function webAddress(value: unknown): string | undefined {
  return typeof value === 'string' && /^https?:\/\//.test(value) && URL.canParse(value)
    ? value
    : undefined
}
