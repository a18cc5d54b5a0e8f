import { collectCredential } from '#scenarios/fixtures/accept-offer.ts'
import { beginLogin } from '#scenarios/fixtures/log-in.ts'
import { readSessionStatus } from '#scenarios/fixtures/login-page.ts'
import { postPresentation, preparePresentation } from '#scenarios/fixtures/presentations.ts'
import { defineScenario } from '#scenarios/harness/define-scenario.ts'
import { expectEqual, expectStatus } from '#scenarios/harness/expectations.ts'

export const scenario = defineScenario({
  id: 'login/replayed-post',
  title: 'A presentation that somebody overheard logs nobody in again',
  category: 'Login',
  algorithms: ['ES256K'],
  description: `
Somebody has got hold of what a wallet posted in a login that succeeded.

- Posted **to the same session** again, it is answered with 200 and changes nothing: the session is
  over, the answer has no \`redirect_uri\`.
- Posted **to a session of the thief's own**, it fails: its nonce is that of another request.

The holder's login goes on as if nothing had happened.`,
  references: [
    { document: 'Document 1', section: 'Presentation token (vp_token, a JWT)' },
    { document: 'Document 1', section: 'Endpoint a verifier exposes to the wallet' },
    { document: 'Assumptions', section: 'A-30, A-36' },
  ],

  async run(context) {
    const { step } = context
    const wallet = context.createWallet()
    await step('A wallet holds a credential', () => collectCredential(context, wallet))
    const { relyingParty, login } = await step('A relying party begins a login', () =>
      beginLogin(context),
    )
    const presentation = await step('The wallet presents the credential', async () => {
      const prepared = await preparePresentation(context, wallet, login.link)
      expectStatus(await postPresentation(context, prepared), 200)
      await login.awaitEnd('SUCCESS')
      return prepared
    })
    await step('Posted again it changes nothing', async () => {
      const answer = expectStatus(await postPresentation(context, presentation), 200)
      expectEqual('the answer', answer.json, {})
      expectEqual('the session', await readSessionStatus(context, login.sessionCode), 'SUCCESS')
    })
    await step("Posted to the thief's own session it fails", async () => {
      const { login: own } = await beginLogin(context)
      const { responseUri } = await preparePresentation(context, wallet, own.link)
      expectStatus(await postPresentation(context, { ...presentation, responseUri }), 200)
      await own.awaitEnd('FAILED')
    })
    await step("The holder's login goes on", async () =>
      relyingParty.redeem(await login.followRedirect()),
    )
  },
})
