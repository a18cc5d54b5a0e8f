import { describe, expect, it } from 'vitest'
import { allDefects } from '#conformance/world/defects/create-credential-with-defect.ts'
import { issueCredential } from '#conformance/world/issue-credential.ts'
import { brokenRulesOf } from '#scenarios/fixtures/login-page.ts'
import { createHttpBrowser } from '#scenarios/harness/http-browser.ts'
import type { FailureReason } from '#services/idp/domain/login.ts'
import { english, spanish } from '#services/idp/pages/texts.ts'
import { linkOf, startLoginSystem } from '#test/support/login-system.ts'

/** What a page has to say if this rule is the one that a credential breaks. */
const reasonFor: Readonly<Record<string, FailureReason>> = {
  'credential.format': 'malformed',
  'credential.context': 'malformed',
  'credential.type-chain': 'malformed',
  'credential.type': 'wrong-type',
  'credential.power': 'incomplete',
  'credential.employee-id': 'incomplete',
  'credential.expiry': 'expired',
  'credential.not-before': 'not-yet-valid',
  'credential.issued-at': 'issue-date-invalid',
  'credential.algorithm': 'invalid-signature',
  'credential.issuer': 'issuer-unclear',
  'credential.issuer-document': 'issuer-unknown',
  'credential.issuer-key': 'issuer-key-invalid',
  'credential.signature': 'invalid-signature',
  'credential.holder': 'wrong-holder',
  'credential.terms-of-use': 'issuer-not-accredited',
  'credential.status': 'revoked',
  'trust.attribute': 'issuer-not-accredited',
  'trust.not-revoked': 'issuer-not-accredited',
  'trust.period': 'issuer-not-accredited',
  'trust.accredited-for': 'issuer-not-accredited',
  'trust.signature': 'issuer-not-accredited',
  'trust.subject': 'issuer-not-accredited',
  'trust.attribute-id': 'issuer-not-accredited',
  'trust.root': 'issuer-not-accredited',
}

const defects = allDefects.flatMap((defect) =>
  defect.rule === undefined ? [] : [{ defect, name: defect.name, rule: defect.rule }],
)

describe('the page of a failed login names the cause first', () => {
  it.each([english, spanish])('for every defect of a credential, in $language', async (texts) => {
    const system = await startLoginSystem()
    const { world } = system
    const pageAfter = async (credential: string) => {
      const browser = createHttpBrowser([], { 'accept-language': texts.language })
      const login = await system.beginLogin({ browser })
      const page = await browser.get(login.url)
      await system.present(linkOf(page), { credential })
      return browser.get(page.url)
    }
    const found: Record<string, unknown> = {}
    const expected: Record<string, unknown> = {}
    for (const { defect, name, rule } of defects) {
      const holderDid = world.holder.did
      const failed = await pageAfter(issueCredential(world, { holderDid, now: world.now, defect }))
      const [, sentence] = /role="alert">([^<]*)</.exec(failed.text) ?? []
      const [, reason] = /data-reason="([^"]*)"/.exec(failed.text) ?? []
      found[name] = { rule: brokenRulesOf(failed)[0], reason, sentence }
      expected[name] = {
        rule,
        reason: reasonFor[rule],
        sentence: texts.reasons[reasonFor[rule] as FailureReason],
      }
    }
    expect(defects.length).toBeGreaterThan(50)
    expect(found).toEqual(expected)
  })

  it('has a sentence of its own for each reason, in both languages', () => {
    for (const { reasons } of [english, spanish]) {
      expect(new Set(Object.values(reasons)).size).toBe(Object.keys(reasons).length)
    }
    expect(Object.keys(spanish.reasons)).toEqual(Object.keys(english.reasons))
  })
})
