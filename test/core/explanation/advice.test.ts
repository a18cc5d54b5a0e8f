import { expect, it } from 'vitest'
import { didDocumentRules, didDocumentShape } from '#core/did/did-document-rules.ts'
import { adviceFor } from '#core/explanation/advice/advice-for.ts'
import { credentialRules } from '#core/lear-credential/verify-lear-credential.ts'
import { credentialOfferRules } from '#core/oid4vci/credential-offer/evaluate-credential-offer.ts'
import {
  issuerMetadataShape,
  metadataIssuerRule,
} from '#core/oid4vci/issuer-metadata/evaluate-issuer-metadata.ts'
import { checkedProofRules } from '#core/oid4vci/proof-of-possession/verify-proof-of-possession.ts'
import { authorizationRequestRules } from '#core/oid4vp/authorization-request/authorization-request-rules.ts'
import { signedRequestRules } from '#core/oid4vp/authorization-request/verify-signed-request.ts'
import { vpTokenRules } from '#core/oid4vp/vp-token/vp-token-rules.ts'
import { statusListRules } from '#core/status-list/status-list-rules.ts'
import { accreditationRules } from '#core/trust/accreditation-rules.ts'
import { tirAttributeShape } from '#core/trust/tir-attribute-shape.ts'

const rules: readonly { readonly rule: string }[] = [
  ...credentialRules,
  ...accreditationRules,
  ...vpTokenRules,
  ...authorizationRequestRules,
  ...signedRequestRules,
  ...credentialOfferRules,
  ...issuerMetadataShape,
  metadataIssuerRule,
  ...checkedProofRules([]),
  ...statusListRules,
  ...didDocumentShape,
  ...didDocumentRules,
  ...tirAttributeShape,
]

it.each(rules)('there is something to do where $rule is broken or unchecked', ({ rule }) => {
  expect(adviceFor(rule, 'broken')).toMatch(/\.$/)
  expect(adviceFor(rule, 'not-checked')).toMatch(/\.$/)
})
