import { collectCredential } from '#scenarios/fixtures/accept-offer.ts'
import { authorizationUrlOf, beginLogin } from '#scenarios/fixtures/log-in.ts'
import { readLoginPage } from '#scenarios/fixtures/login-page.ts'
import { presentCredential } from '#scenarios/fixtures/presentations.ts'
import { defineScenario } from '#scenarios/harness/define-scenario.ts'
import { expectEqual, expectTrue } from '#scenarios/harness/expectations.ts'

export const scenario = defineScenario({
  id: 'login/no-single-sign-on',
  title: 'Every login asks for the credential anew',
  category: 'Login',
  algorithms: ['EdDSA'],
  description: `
A browser in which somebody has just logged in begins a second login. It is shown **a new code**: the
IDP keeps no session, since one that outlived its login would also outlive the revocation of the
credential. A relying party that asks for a login without the person (\`prompt=none\`) is told
\`login_required\`.`,
  references: [
    { document: 'Document 1', section: 'What the service does' },
    { document: 'OpenID Connect Core 1.0', section: '3.1.2.6' },
  ],

  async run(context) {
    const { step } = context
    const wallet = context.createWallet()
    await step('A wallet holds a credential', () => collectCredential(context, wallet))
    const { login } = await step('Somebody logs in', async () => {
      const begun = await beginLogin(context)
      await presentCredential(context, wallet, begun.login.link)
      await begun.login.awaitEnd('SUCCESS')
      await begun.relyingParty.redeem(await begun.login.followRedirect())
      return begun
    })
    await step('The same browser begins another login, and is shown a new code', async () => {
      const page = await login.browser.get(authorizationUrlOf(context).href)
      const next = readLoginPage(context, login.browser, page)
      expectTrue('it is another session', next.sessionCode !== login.sessionCode)
    })
    await step('Without the person there is no login', async () => {
      const { href } = authorizationUrlOf(context, { prompt: 'none' })
      const { status, url } = await login.browser.get(href)
      expectEqual('the status at the relying party', status, 0)
      expectEqual('error', new URL(url).searchParams.get('error'), 'login_required')
    })
  },
})
