import { didDocumentRules, didDocumentShape } from '#core/did/did-document.ts'
import {
  credentialFormatRule,
  credentialRules,
} from '#core/lear-credential/verify-lear-credential.ts'
import { credentialOfferRules, credentialOfferUriRules } from '#core/oid4vci/credential-offer.ts'
import { credentialResponseRule } from '#core/oid4vci/credential-response.ts'
import { issuerMetadataShape, metadataIssuerRule } from '#core/oid4vci/issuer-metadata.ts'
import { proofRules } from '#core/oid4vci/proof-of-possession.ts'
import { tokenResponseRule } from '#core/oid4vci/token.ts'
import {
  authorizationRequestRules,
  authorizationRequestUriRules,
} from '#core/oid4vp/authorization-request.ts'
import { submissionRules } from '#core/oid4vp/presentation-submission.ts'
import { requestFormatRule, signedRequestRules } from '#core/oid4vp/signed-request.ts'
import { vpTokenFormRule, vpTokenRules } from '#core/oid4vp/vp-token.ts'
import { statusListRules } from '#core/status-list/check-status.ts'
import { accreditationRules } from '#core/trust/accreditation-rules.ts'
import { tirAttributeShape } from '#core/trust/tir-attribute.ts'
import { chainRules, publishedRule } from '#core/trust/trust-chain.ts'
import type { RuleText } from '#core/verification/rules.ts'
import { offerReferenceRule } from './kinds/issuance.ts'
import { requestReferenceRule } from './kinds/presentation-request.ts'
import { currentRule } from './kinds/registries.ts'

export interface MessageRules {
  readonly message: string
  readonly rules: readonly RuleText[]
}

/** The messages that wallet, issuer and verifier check, each with the rules about it. */
export const messageRules: readonly MessageRules[] = [
  { message: 'Credential', rules: [credentialFormatRule, ...credentialRules] },
  {
    message: 'Accreditation',
    rules: [publishedRule, currentRule, ...Object.values(chainRules), ...accreditationRules],
  },
  {
    message: 'Presentation',
    rules: [vpTokenFormRule, ...vpTokenRules, ...submissionRules],
  },
  {
    message: 'Presentation request',
    rules: [
      ...authorizationRequestUriRules,
      requestReferenceRule,
      requestFormatRule,
      ...authorizationRequestRules,
      ...signedRequestRules,
    ],
  },
  {
    message: 'Credential offer',
    rules: [...credentialOfferUriRules, offerReferenceRule, ...credentialOfferRules],
  },
  { message: 'Issuer metadata', rules: [...issuerMetadataShape, metadataIssuerRule] },
  { message: 'Proof of possession', rules: proofRules },
  { message: 'Token response', rules: [tokenResponseRule] },
  { message: 'Credential response', rules: [credentialResponseRule] },
  { message: 'Status list', rules: statusListRules },
  { message: 'DID document', rules: [...didDocumentShape, ...didDocumentRules] },
  { message: 'TIR attribute', rules: tirAttributeShape },
]

/** Joins the texts of a rule with several rows, such as one of the parameters and one of the signature. */
export function joinTexts([first, ...others]: readonly [RuleText, ...RuleText[]]): RuleText {
  const joined = (texts: readonly string[]) => [...new Set(texts)].join(' ')
  const all = [first, ...others]
  return {
    ...first,
    statement: joined(all.map(({ statement }) => statement)),
    fix: joined(all.map(({ fix }) => fix)),
  }
}

/** What a rule requires, and how to fix a message that breaks it; undefined for unknown rules. */
export function findRuleText(name: string): RuleText | undefined {
  const [first, ...others] = messageRules
    .flatMap(({ rules }) => rules)
    .filter(({ rule }) => rule === name)
  return first && joinTexts([first, ...others])
}
