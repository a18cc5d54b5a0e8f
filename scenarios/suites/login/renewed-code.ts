import { collectCredential } from '#scenarios/fixtures/accept-offer.ts'
import { holdCredential } from '#scenarios/fixtures/held-credentials.ts'
import { beginLogin } from '#scenarios/fixtures/log-in.ts'
import { readLoginPage, readSessionStatus } from '#scenarios/fixtures/login-page.ts'
import { presentCredential, presentRegardless } from '#scenarios/fixtures/presentations.ts'
import { defineScenario } from '#scenarios/harness/define-scenario.ts'
import { expectEqual, expectPresent, expectTrue } from '#scenarios/harness/expectations.ts'

export const scenario = defineScenario({
  id: 'login/renewed-code',
  title: 'After a failure the same login goes on with a new code',
  category: 'Login',
  algorithms: ['EdDSA'],
  description: `
Asking for a new code while the first one still counts changes nothing: it stays the same. Then that
one fails, for a credential without power, and the person asks again: there is a **new code with a
session of its own**. The old session stays \`FAILED\`, the new one succeeds, and the browser goes
back to the relying party that began it all.`,
  references: [
    { document: 'Document 1', section: 'Verification session (IDP)' },
    { document: 'Document 1', section: 'States and transitions, rows 6, 7' },
  ],

  async run(context) {
    const { step, control } = context
    const [wallet, powerless] = [context.createWallet(), context.createWallet()]
    await step('One wallet holds a good credential, one a credential without power', async () => {
      const order = { defect: 'power-empty', holderDid: powerless.account.did }
      const { credential } = await control.createDefectiveCredential(order)
      await holdCredential(context, powerless, expectPresent('the credential', credential))
      await collectCredential(context, wallet)
    })
    const { relyingParty, login } = await step('A relying party begins a login', () =>
      beginLogin(context),
    )
    const renew = async () => {
      const page = await login.browser.submit(`${login.page.url}/renew`, {})
      return readLoginPage(context, login.browser, page)
    }
    await step('A code that still counts is not replaced', async () => {
      expectEqual('the session code', (await renew()).sessionCode, login.sessionCode)
    })
    await step('It fails', async () => {
      await presentRegardless(context, powerless, login.link)
      await login.awaitEnd('FAILED')
    })
    const next = await step('The person asks for a new code and gets one', async () => {
      const renewed = await renew()
      expectTrue('the session is another one', renewed.sessionCode !== login.sessionCode)
      expectTrue('the request is another one', renewed.link !== login.link)
      return renewed
    })
    await step('The new one succeeds, and the old one stays failed', async () => {
      await presentCredential(context, wallet, next.link)
      await next.awaitEnd('SUCCESS')
      expectEqual('the old one', await readSessionStatus(context, login.sessionCode), 'FAILED')
    })
    await step('The browser is back at the relying party', async () =>
      relyingParty.redeem(await next.followRedirect()),
    )
  },
})
