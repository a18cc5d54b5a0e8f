import { collectCredential } from '#scenarios/fixtures/accept-offer.ts'
import { holdCredential } from '#scenarios/fixtures/held-credentials.ts'
import { beginLogin } from '#scenarios/fixtures/log-in.ts'
import { readSessionStatus } from '#scenarios/fixtures/login-page.ts'
import { presentCredential } from '#scenarios/fixtures/presentations.ts'
import { expectWalletStop } from '#scenarios/fixtures/wallet-refusals.ts'
import { defineScenario } from '#scenarios/harness/define-scenario.ts'
import { expectEqual, expectPresent } from '#scenarios/harness/expectations.ts'

export const scenario = defineScenario({
  id: 'login/no-matching-credential',
  title: 'A wallet without a credential of the wanted type posts nothing',
  category: 'Login',
  algorithms: ['ES256K'],
  description: `
A wallet is asked while it is empty, and again while it holds a credential of **another type**. Both
times it says that it has none that matches, and posts nothing: the session is still \`PENDING\`.

Then it collects the right credential, scans the same QR once more, and the login succeeds.`,
  references: [
    { document: 'Document 1', section: 'Presentation authorization_request' },
    { document: 'Document 1', section: 'Verification session (IDP)' },
  ],

  async run(context) {
    const { step, control } = context
    const wallet = context.createWallet()
    const { relyingParty, login } = await step('A relying party begins a login', () =>
      beginLogin(context),
    )
    const expectNothingPosted = async () => {
      const answering = presentCredential(context, wallet, login.link)
      await expectWalletStop('the request', answering, 'no_matching_credential')
      expectEqual('the session', await readSessionStatus(context, login.sessionCode), 'PENDING')
    }
    await step('An empty wallet has nothing to answer with', expectNothingPosted)
    await step('Nor has one with a credential of another type', async () => {
      const holderDid = wallet.account.did
      const { credential } = await control.createDefectiveCredential({
        defect: 'type-other',
        holderDid,
      })
      await holdCredential(context, wallet, expectPresent('the credential', credential))
      await expectNothingPosted()
    })
    await step('With the right one the same QR is answered', async () => {
      await collectCredential(context, wallet)
      await presentCredential(context, wallet, login.link)
      await login.awaitEnd('SUCCESS')
      await relyingParty.redeem(await login.followRedirect())
    })
  },
})
