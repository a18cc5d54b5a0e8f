import { z } from 'zod'

export const zCredentialSupported = z.looseObject({
  format: z.string(),
  id: z.string().min(1),
  types: z.array(z.string()).min(1),
  cryptographic_binding_methods_supported: z.array(z.string()).optional(),
  cryptographic_suites_supported: z.array(z.string()).optional(),
})

/** The wire form of issuer metadata (Document 1, Issuer metadata); unknown members are let through. */
export const zIssuerMetadata = z.looseObject({
  credential_issuer: z.url({ protocol: /^https?$/ }),
  credential_endpoint: z.url({ protocol: /^https?$/ }),
  credentials_supported: z.array(zCredentialSupported).min(1),
})

export type IssuerMetadataWire = z.infer<typeof zIssuerMetadata>

export interface CredentialSupported {
  readonly id: string
  readonly format: string
  readonly types: readonly string[]
  readonly bindingMethods: readonly string[]
  readonly suites: readonly string[]
}

/** Issuer metadata, whatever dialect it is written in. Endpoints are addresses. */
export interface IssuerMetadata {
  readonly credentialIssuer: string
  readonly tokenEndpoint: string
  readonly credentialEndpoint: string
  readonly deferredCredentialEndpoint: string
  readonly credentialsSupported: readonly CredentialSupported[]
}
