import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { didDocumentRules, didDocumentShape } from '#core/did/did-document.ts'
import { adviceFor } from '#core/explanation/advice.ts'
import { credentialRules } from '#core/lear-credential/verify-lear-credential.ts'
import { credentialOfferRules } from '#core/oid4vci/credential-offer.ts'
import { issuerMetadataShape, metadataIssuerRule } from '#core/oid4vci/issuer-metadata.ts'
import { checkedProofRules } from '#core/oid4vci/proof-of-possession.ts'
import { authorizationRequestRules } from '#core/oid4vp/authorization-request.ts'
import { signedRequestRules } from '#core/oid4vp/signed-request.ts'
import { vpTokenRules } from '#core/oid4vp/vp-token.ts'
import { paragraphOfRule } from '#core/profile/rule-paragraphs.ts'
import { statusListRules } from '#core/status-list/check-status.ts'
import { accreditationRules } from '#core/trust/accreditation-rules.ts'
import { tirAttributeShape } from '#core/trust/tir-attribute.ts'

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

it.each(rules)('the profile describes $rule', ({ rule }) => {
  const [file = '', anchor = ''] = paragraphOfRule(rule)?.split('#') ?? []
  const page = readFileSync(join(import.meta.dirname, '../../..', file), 'utf8')
  const headings = [...page.matchAll(/^#+ (.*)$/gm)].map(([, title = '']) =>
    title.toLowerCase().replaceAll(' ', '-'),
  )
  expect(page.includes(`<a id="${anchor}"></a>`) || headings.includes(anchor), anchor).toBe(true)
})
