import { collectCredential } from '#scenarios/fixtures/accept-offer.ts'
import { expectedClaims } from '#scenarios/fixtures/held-credentials.ts'
import { expectLoginFailure, logIn } from '#scenarios/fixtures/log-in.ts'
import { brokenRulesOf } from '#scenarios/fixtures/login-page.ts'
import { revokeCredential } from '#scenarios/fixtures/portal.ts'
import { defineScenario } from '#scenarios/harness/define-scenario.ts'
import { expectIncludes, expectMatch, expectTrue } from '#scenarios/harness/expectations.ts'

export const scenario = defineScenario({
  id: 'revocation/one-of-two',
  title: 'The revocation of one credential leaves the other one of the same person',
  category: 'Revocation',
  algorithms: ['EdDSA'],
  description: `
A representative has a credential on a phone and another one on a second phone. The first phone is
lost, and its credential **revoked**: a login with it fails, and the page says that it was revoked.

The second phone goes on logging in, as the same person: what is revoked is a credential, not a
person.`,
  references: [
    { document: 'Document 1', section: 'States and transitions, rows 3, 7' },
    { document: 'Assumptions', section: 'A-23, A-42' },
  ],

  async run(context) {
    const { step } = context
    const [lost, other] = [context.createWallet(), context.createWallet()]
    const [first, second] = await step('Somebody holds a credential on each of two phones', () =>
      Promise.all([collectCredential(context, lost), collectCredential(context, other)]),
    )
    await step('The first one is lost: its credential is revoked', () =>
      revokeCredential(context, first.credentialId),
    )
    await step('A login with it fails, and the page says why', async () => {
      const page = await expectLoginFailure(context, lost)
      expectMatch('the page', page.text, /was revoked/)
      const broken = brokenRulesOf(page)
      expectTrue('nothing but its status is wrong', broken.join() === 'credential.status', broken)
    })
    await step('The other phone logs the same person in', async () => {
      const { idTokenClaims } = await logIn(context, other)
      expectIncludes('the id_token', idTokenClaims, expectedClaims(second))
      const { sub } = expectedClaims(first)
      expectIncludes('the person', idTokenClaims, { sub })
    })
  },
})
