import { collectCredential } from '#scenarios/fixtures/accept-offer.ts'
import { beginLogin } from '#scenarios/fixtures/log-in.ts'
import { readSessionStatus } from '#scenarios/fixtures/login-page.ts'
import { fetchRequest, presentCredential } from '#scenarios/fixtures/presentations.ts'
import { expectWalletStop } from '#scenarios/fixtures/wallet-refusals.ts'
import { defineScenario } from '#scenarios/harness/define-scenario.ts'
import { expectEqual, expectTrue } from '#scenarios/harness/expectations.ts'

export const scenario = defineScenario({
  id: 'login/same-link-twice',
  title: 'A QR may be scanned twice, and answered once',
  category: 'Login',
  algorithms: ['ES256K'],
  description: `
A wallet scans a QR and its holder puts the phone away; scanned again, it is **the same request**,
with the same nonce: whoever looks at a code does not change it. The second scan is answered and the
login succeeds.

A third scan, after the answer, gives no request any more, and the login stays as it is.`,
  references: [
    { document: 'Document 1', section: 'Presentation authorization_request' },
    { document: 'Document 1', section: 'Verification session (IDP)' },
    { document: 'Assumptions', section: 'A-30, A-36' },
  ],

  async run(context) {
    const { step } = context
    const wallet = context.createWallet()
    await step('A wallet holds a credential', () => collectCredential(context, wallet))
    const { relyingParty, login } = await step('A relying party begins a login', () =>
      beginLogin(context),
    )
    const first = await step('The wallet scans the QR, and the holder puts the phone away', () =>
      fetchRequest(context, login.link),
    )
    await step('It scans the QR again: it is the same request', async () => {
      const { request } = await fetchRequest(context, login.link)
      expectEqual('the request', request, first.request)
      await presentCredential(context, wallet, login.link)
      await login.awaitEnd('SUCCESS')
    })
    await step('After the answer the QR gives no request any more', async () => {
      const answering = presentCredential(context, wallet, login.link)
      const { answer } = await expectWalletStop('the third scan', answering, 'invalid_request')
      const { status = 0 } = answer ?? {}
      expectTrue('the verifier refuses with a 4xx', status >= 400 && status < 500, answer)
      expectEqual('the session', await readSessionStatus(context, login.sessionCode), 'SUCCESS')
    })
    await step('The login goes on', async () => relyingParty.redeem(await login.followRedirect()))
  },
})
