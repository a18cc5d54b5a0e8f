import type { VerificationResult } from '#core/errors/verification-failure.ts'
import { evaluateIssuerMetadata } from './evaluate-issuer-metadata.ts'
import { type IssuerMetadata, zIssuerMetadata } from './z-issuer-metadata.ts'

/**
 * Reads issuer metadata that was fetched for the given credential issuer. Rules: those of
 * `evaluateIssuerMetadata`. Endpoints that the metadata does not name are at the document's paths
 * below the issuer.
 */
export function parseIssuerMetadata(
  value: unknown,
  credentialIssuer: string,
): VerificationResult<{ metadata: IssuerMetadata }> {
  const result = zIssuerMetadata.safeParse(value)
  const { failures } = evaluateIssuerMetadata(value, credentialIssuer)
  if (!result.success || failures.length > 0) return { ok: false, failures }
  const wire = result.data
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
