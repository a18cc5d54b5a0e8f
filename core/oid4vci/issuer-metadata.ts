import { z } from 'zod'
import { membersOf } from '#core/json/json-object.ts'
import { plainReasons } from '#core/json/plain-issues.ts'
import { isWebAddress } from '#core/link/find-link.ts'
import { evaluateShape } from '#core/verification/evaluate-shape.ts'
import {
  evaluateRules,
  type Rule,
  type RuleResults,
  type RuleText,
  type VerificationResult,
} from '#core/verification/rules.ts'

/** The only credential format of the profile: a JWT without JSON-LD processing. */
export const jwtVcJson = 'jwt_vc_json'

/** How wallets may identify their keys (profile/wallet, Keys). */
export const cryptographicBindingMethods = ['did:key', 'did:jwk'] as const

/** The type that each credential has in addition to its own. */
export const verifiableCredentialType = 'VerifiableCredential'

const zCredentialSupported = z
  .looseObject({
    format: z.string(),
    id: z.string().min(1),
    types: z.array(z.string()).min(1),
    cryptographic_binding_methods_supported: z.array(z.string()).optional(),
    cryptographic_suites_supported: z.array(z.string()).optional(),
  })
  // A wallet ignores entries in other formats.
  .refine(({ format, types }) => format !== jwtVcJson || types.includes(verifiableCredentialType), {
    path: ['types'],
    error: `it does not include ${verifiableCredentialType}`,
  })

/**
 * The wire form of issuer metadata (profile/connector, Issuer metadata); unknown members are
 * allowed.
 */
export const zIssuerMetadata = z.looseObject({
  credential_issuer: z.url({ protocol: /^https?$/ }),
  credential_endpoint: z.url({ protocol: /^https?$/ }),
  credentials_supported: z.array(zCredentialSupported).min(1),
})

type IssuerMetadataWire = z.infer<typeof zIssuerMetadata>

export interface CredentialSupported {
  readonly id: string
  readonly format: string
  readonly types: readonly string[]
  readonly bindingMethods: readonly string[]
  readonly suites: readonly string[]
}

/** Issuer metadata, independent of the dialect. Endpoints are addresses. */
export interface IssuerMetadata {
  readonly credentialIssuer: string
  readonly tokenEndpoint: string
  readonly credentialEndpoint: string
  readonly deferredCredentialEndpoint: string
  readonly credentialsSupported: readonly CredentialSupported[]
}

/**
 * Creates the wire form of issuer metadata (profile/connector, Issuer metadata). The token endpoint
 * and the deferred credential endpoint are additions to the profile; wallets that know only the
 * profile find both at its fixed paths.
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

interface Context {
  readonly value: unknown
  readonly credentialIssuer: string | undefined
}

/** The requirements of `zIssuerMetadata` as named rules (profile/connector, Issuer metadata). */
export const issuerMetadataShape: readonly RuleText[] = [
  {
    rule: 'metadata.shape',
    statement: 'The metadata is a JSON object.',
    fix: 'Serve the metadata as a JSON object.',
    path: '',
  },
  {
    rule: 'metadata.credential-issuer',
    statement: 'credential_issuer is an http or https URL.',
    fix: "Set credential_issuer to the issuer's http or https URL.",
    path: 'credential_issuer',
  },
  {
    rule: 'metadata.credential-endpoint',
    statement: 'credential_endpoint is an http or https URL.',
    fix: 'Set credential_endpoint to the http or https URL that receives credential requests.',
    path: 'credential_endpoint',
  },
  {
    rule: 'metadata.credentials-supported',
    statement:
      'credentials_supported is a list, each entry with format, id and types; with jwt_vc_json, types includes VerifiableCredential.',
    fix: 'List each credential in the array credentials_supported, with format, id and an array types that includes VerifiableCredential. Do not use credential_configurations_supported.',
    path: 'credentials_supported',
  },
]

/** Wallets must not use metadata that names a different issuer (OpenID4VCI 1.0, 12.2.4). */
export const metadataIssuerRule: Rule<Context> = {
  rule: 'metadata.issuer',
  statement: 'credential_issuer is the issuer that the metadata was fetched for.',
  fix: 'Set credential_issuer to exactly the URL that the offer names, and serve the metadata below it.',
  path: 'credential_issuer',
  evaluate: ({ value, credentialIssuer }, { fail, lack }) => {
    const { credential_issuer: named } = membersOf(value)
    if (credentialIssuer === undefined) {
      lack({ ok: false, kind: 'not-asked', reason: 'the expected issuer is not known' })
    } else if (named !== credentialIssuer) {
      fail(`the metadata does not belong to ${credentialIssuer}`, undefined, named)
    }
  },
}

/**
 * Evaluates every rule of issuer metadata. `credentialIssuer` is the issuer that it was fetched
 * for; undefined if unknown.
 */
export function evaluateIssuerMetadata(
  value: unknown,
  credentialIssuer: string | undefined,
): RuleResults {
  const shape = evaluateShape(issuerMetadataShape, zIssuerMetadata.safeParse(value, plainReasons))
  const issuer = evaluateRules([metadataIssuerRule], { value, credentialIssuer })
  return {
    failures: [...shape.failures, ...issuer.failures],
    checked: [...shape.checked, ...issuer.checked],
  }
}

/**
 * Parses issuer metadata that was fetched for the given credential issuer. Rules: those of
 * `evaluateIssuerMetadata`. Endpoints that the metadata does not name have the profile's paths
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

const webAddress = (value: unknown) => (isWebAddress(value) ? value : undefined)
