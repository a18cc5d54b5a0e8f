import { collectCredential } from '#scenarios/fixtures/accept-offer.ts'
import { resolveEnvironmentDid } from '#scenarios/fixtures/environment-trust.ts'
import { beginLogin } from '#scenarios/fixtures/log-in.ts'
import { readSessionStatus } from '#scenarios/fixtures/login-page.ts'
import { presentCredential } from '#scenarios/fixtures/presentations.ts'
import { expectWalletStop } from '#scenarios/fixtures/wallet-refusals.ts'
import { defineScenario } from '#scenarios/harness/define-scenario.ts'
import { expectEqual, expectTrue } from '#scenarios/harness/expectations.ts'
import { present } from '#wallet-emulator/actions/present.ts'

export const scenario = defineScenario({
  id: 'login/holder-declines',
  title: 'Where the holder declines nothing leaves the wallet',
  category: 'Login',
  algorithms: ['EdDSA'],
  description: `
The wallet asks its holder before it presents, and the holder says **no**. Nothing is posted: the
session is \`PENDING\`, the page goes on showing the code, and nobody is logged in.

Asked again with the same QR the holder says yes, and the login succeeds.`,
  references: [
    { document: 'Document 1', section: 'Verification session (IDP)' },
    { document: 'OpenID4VP 1.0', section: '15.1' },
  ],

  async run(context) {
    const { step } = context
    const wallet = context.createWallet()
    await step('A wallet holds a credential', () => collectCredential(context, wallet))
    const { relyingParty, login } = await step('A relying party begins a login', () =>
      beginLogin(context),
    )
    await step('The holder declines, and the wallet stops', async () => {
      const answering = present(wallet, login.link, {
        resolveDidDocument: resolveEnvironmentDid(context, wallet),
        consent: () => false,
      })
      await expectWalletStop('the request', answering, 'declined')
    })
    await step('Nobody has heard of it: the page shows the code still', async () => {
      expectEqual('the session', await readSessionStatus(context, login.sessionCode), 'PENDING')
      const page = await login.reload()
      expectTrue('the page is the same', page.text.includes(login.sessionCode), page.status)
    })
    await step('Asked again the holder agrees, and the login succeeds', async () => {
      await presentCredential(context, wallet, login.link)
      await login.awaitEnd('SUCCESS')
      await relyingParty.redeem(await login.followRedirect())
    })
  },
})
