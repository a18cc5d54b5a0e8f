import { collectCredential } from '#scenarios/fixtures/accept-offer.ts'
import { beginLogin } from '#scenarios/fixtures/log-in.ts'
import { readSessionStatus } from '#scenarios/fixtures/login-page.ts'
import { postPresentation, preparePresentation } from '#scenarios/fixtures/presentations.ts'
import { defineScenario } from '#scenarios/harness/define-scenario.ts'
import { expectEqual, expectStatus, expectTrue } from '#scenarios/harness/expectations.ts'

export const scenario = defineScenario({
  id: 'login/posts-that-are-none',
  title: 'What is no presentation at all does not end a session',
  category: 'Login',
  algorithms: ['EdDSA'],
  description: `
Whoever sees a code on somebody's screen knows where to post. Forms without a presentation, or with
something that is none, are answered with 200; other media types and a form of 1 MB are refused with
a 4xx; an address that nobody was given is 404. None of it is a fault of the server's.

All the while the session is \`PENDING\`: nobody can spoil a login without a presentation. The wallet
then presents, and the login succeeds.`,
  references: [
    { document: 'Document 1', section: 'Endpoint a verifier exposes to the wallet' },
    { document: 'Assumptions', section: 'A-30' },
  ],

  async run(context) {
    const { step, httpAs } = context
    const wallet = context.createWallet()
    await step('A wallet holds a credential', () => collectCredential(context, wallet))
    const { relyingParty, login } = await step('A relying party begins a login', () =>
      beginLogin(context),
    )
    const good = await step('The wallet scans the code', () =>
      preparePresentation(context, wallet, login.link),
    )
    const stranger = httpAs('stranger')
    const { responseUri, form } = good
    const expectPending = async () =>
      expectEqual('the session', await readSessionStatus(context, login.sessionCode), 'PENDING')

    await step('Forms without a presentation are answered with 200', async () => {
      const forms: readonly Record<string, string>[] = [
        {},
        { vp_token: '' },
        { vp_token: 'no JWT' },
        { vp_token: 'a.b.c', presentation_submission: '{}' },
      ]
      for (const junk of forms) {
        expectStatus(await stranger.request(responseUri, { form: junk, method: 'POST' }), 200)
      }
      await expectPending()
    })
    await step('Other media types and sizes are refused', async () => {
      for (const junk of [
        { json: form },
        { body: 'vp_token', headers: { 'content-type': 'text/plain' } },
        { form: { vp_token: 'x'.repeat(1024 * 1024) } },
      ]) {
        const { status } = await stranger.request(responseUri, { ...junk, method: 'POST' })
        expectTrue('the answer is a 4xx', status >= 400 && status < 500, status)
      }
      await expectPending()
    })
    await step('An address that nobody was given is 404', async () => {
      const elsewhere = responseUri.replace(/[^/]+$/, 'unknown')
      expectStatus(await stranger.request(elsewhere, { form }), 404)
      await expectPending()
    })
    await step('The presentation itself succeeds', async () => {
      expectStatus(await postPresentation(context, good), 200)
      await login.awaitEnd('SUCCESS')
      await relyingParty.redeem(await login.followRedirect())
    })
  },
})
