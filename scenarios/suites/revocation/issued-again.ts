import { collectCredential } from '#scenarios/fixtures/accept-offer.ts'
import { resolveEnvironmentDid } from '#scenarios/fixtures/environment-trust.ts'
import { expectedClaims } from '#scenarios/fixtures/held-credentials.ts'
import { beginLogin, expectLoginFailure } from '#scenarios/fixtures/log-in.ts'
import { revokeCredential } from '#scenarios/fixtures/portal.ts'
import { presentRegardless } from '#scenarios/fixtures/presentations.ts'
import { defineScenario } from '#scenarios/harness/define-scenario.ts'
import { expectEqual, expectIncludes, expectMatch } from '#scenarios/harness/expectations.ts'
import { present } from '#wallet-emulator/actions/present.ts'

export const scenario = defineScenario({
  id: 'revocation/issued-again',
  title: 'Revocation is for good, and a new credential is a new one',
  category: 'Revocation',
  algorithms: ['ES256K'],
  description: `
A credential is revoked, and its holder **obtains a new one** in the same wallet. Both are there and
both match; the holder chooses the new one, which logs in. The old one stays revoked: issuing again
brings nothing back to life.`,
  references: [
    { document: 'Document 1', section: 'States and transitions, rows 3, 7' },
    { document: 'Assumptions', section: 'A-22, A-23' },
  ],

  async run(context) {
    const { step } = context
    const wallet = context.createWallet()
    const old = await step('A wallet holds a credential, which is revoked', async () => {
      const credential = await collectCredential(context, wallet)
      await revokeCredential(context, credential.credentialId)
      return credential
    })
    await step('It logs nobody in', async () => {
      expectMatch('the page', (await expectLoginFailure(context, wallet)).text, /was revoked/)
    })
    const renewed = await step('The holder obtains a new one', async () => {
      const credential = await collectCredential(context, wallet)
      expectEqual('whether it is the same', credential.credentialId === old.credentialId, false)
      return credential
    })
    await step('The new one logs its holder in', async () => {
      const { relyingParty, login } = await beginLogin(context)
      await present(wallet, login.link, {
        resolveDidDocument: resolveEnvironmentDid(context, wallet),
        select: { id: renewed.credentialId },
      })
      await login.awaitEnd('SUCCESS')
      const { idTokenClaims } = await relyingParty.redeem(await login.followRedirect())
      expectIncludes('the id_token', idTokenClaims, expectedClaims(renewed))
    })
    await step('The old one is still revoked', async () => {
      // The wallet's first credential.
      const page = await expectLoginFailure(context, wallet, presentRegardless)
      expectMatch('the page', page.text, /was revoked/)
    })
  },
})
