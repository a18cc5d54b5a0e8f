import { didDocumentRules, didDocumentShape } from '#core/did/did-document.ts'
import { credentialRules } from '#core/lear-credential/verify-lear-credential.ts'
import { credentialOfferRules } from '#core/oid4vci/credential-offer.ts'
import { issuerMetadataShape, metadataIssuerRule } from '#core/oid4vci/issuer-metadata.ts'
import { checkedProofRules } from '#core/oid4vci/proof-of-possession.ts'
import { authorizationRequestRules } from '#core/oid4vp/authorization-request.ts'
import { signedRequestRules } from '#core/oid4vp/signed-request.ts'
import { vpTokenRules } from '#core/oid4vp/vp-token.ts'
import { statusListRules } from '#core/status-list/check-status.ts'
import { accreditationRules } from '#core/trust/accreditation-rules.ts'
import { tirAttributeShape } from '#core/trust/tir-attribute.ts'

/** What every list of rules says of a rule. */
export interface DocumentedRule {
  readonly rule: string
  readonly statement: string
  /** Where in the message the rule looks; empty for the whole. */
  readonly path?: string
}

/** The messages that `testbed verify` explains, each with the rules about it. */
const lists: readonly { readonly message: string; readonly rules: readonly DocumentedRule[] }[] = [
  { message: 'Credential', rules: credentialRules },
  { message: 'Accreditation', rules: accreditationRules },
  { message: 'Presentation', rules: vpTokenRules },
  { message: 'Presentation request', rules: [...authorizationRequestRules, ...signedRequestRules] },
  { message: 'Credential offer', rules: credentialOfferRules },
  { message: 'Issuer metadata', rules: [...issuerMetadataShape, metadataIssuerRule] },
  { message: 'Proof of possession', rules: checkedProofRules([]) },
  { message: 'Status list', rules: statusListRules },
  { message: 'DID document', rules: [...didDocumentShape, ...didDocumentRules] },
  { message: 'TIR attribute', rules: tirAttributeShape },
]

/** Every rule once, under the first message that it is about. */
export function listRules(): { readonly message: string; readonly rules: DocumentedRule[] }[] {
  const seen = new Set<string>()
  return lists.map(({ message, rules }) => ({
    message,
    rules: rules.filter(({ rule }) => !seen.has(rule) && seen.add(rule)),
  }))
}
