import { evaluateRules, type Rule, type RuleResults } from '#core/verification/evaluate-rules.ts'
import { evaluateShape, type ShapeRule } from '#core/verification/shape-rules.ts'
import { zIssuerMetadata } from './z-issuer-metadata.ts'

interface Context {
  readonly value: unknown
  readonly credentialIssuer: string | undefined
}

/** What `zIssuerMetadata` asks for, by name (Document 1, Issuer metadata). */
export const issuerMetadataShape: readonly ShapeRule[] = [
  { rule: 'metadata.shape', statement: 'The metadata is a JSON object.', path: '' },
  {
    rule: 'metadata.credential-issuer',
    statement: 'credential_issuer is a web address.',
    path: 'credential_issuer',
  },
  {
    rule: 'metadata.credential-endpoint',
    statement: 'credential_endpoint is a web address.',
    path: 'credential_endpoint',
  },
  {
    rule: 'metadata.credentials-supported',
    statement: 'credentials_supported is a list, each entry with format, id and types.',
    path: 'credentials_supported',
  },
]

/** Metadata that names another issuer is not to be used (OpenID4VCI 1.0, 12.2.4). */
export const metadataIssuerRule: Rule<Context> = {
  rule: 'metadata.issuer',
  statement: 'credential_issuer is the issuer that the metadata was fetched for.',
  path: 'credential_issuer',
  evaluate: ({ value, credentialIssuer }, { fail, lack }) => {
    const named =
      typeof value === 'object' && value !== null && 'credential_issuer' in value
        ? value.credential_issuer
        : undefined
    if (credentialIssuer === undefined) {
      lack({ ok: false, kind: 'not-asked', reason: 'which issuer it is of is not known here' })
    } else if (named !== credentialIssuer) {
      fail(`the metadata is not that of ${credentialIssuer}`, undefined, named)
    }
  },
}

/**
 * Evaluates every rule of issuer metadata. `credentialIssuer` is the one that it was fetched for;
 * undefined where that is not known.
 */
export function evaluateIssuerMetadata(
  value: unknown,
  credentialIssuer: string | undefined,
): RuleResults {
  const shape = evaluateShape(issuerMetadataShape, zIssuerMetadata.safeParse(value))
  const issuer = evaluateRules([metadataIssuerRule], { value, credentialIssuer })
  return {
    failures: [...shape.failures, ...issuer.failures],
    checked: [...shape.checked, ...issuer.checked],
  }
}
