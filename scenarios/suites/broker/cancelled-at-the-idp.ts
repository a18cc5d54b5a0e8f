import { chooseWallet, openPortalLogin, submitAccount } from '#scenarios/fixtures/portal-login.ts'
import { defineScenario } from '#scenarios/harness/define-scenario.ts'
import { expectEqual, expectMatch, expectTrue } from '#scenarios/harness/expectations.ts'

export const scenario = defineScenario({
  id: 'broker/cancelled-at-the-idp',
  title: 'A login that is cancelled at the IDP goes on at the token issuer',
  category: 'Broker',
  algorithms: ['EdDSA'],
  description: `
Somebody chooses the wallet, does not find it, and cancels on the IDP's page. The broker gets
\`access_denied\` and shows **its own page again**, with a word about it: the portal has heard of
nothing, and the sign-in goes on there. With a local account it leads back to the portal.`,
  references: [
    { document: 'Document 1', section: 'What the service does' },
    { document: 'RFC 6749', section: '4.1.2.1' },
    { document: 'Assumptions', section: 'A-35' },
  ],

  async run(context) {
    const { step, environment } = context
    const { tokenIssuerAccount, tokenIssuerBaseUrl } = environment
    const opened = await step('A portal sends a browser to the token issuer', () =>
      openPortalLogin(context),
    )
    const login = await step('There the wallet is chosen: the IDP shows a code', () =>
      chooseWallet(context, opened),
    )
    await step('Somebody cancels, and is back at the token issuer, which says so', async () => {
      const page = await login.browser.submit(`${login.page.url}/cancel`, {})
      expectEqual('the status', page.status, 200)
      expectTrue(
        'the page is its own',
        page.url.startsWith(`${tokenIssuerBaseUrl}/login/`),
        page.url,
      )
      expectMatch('the page', page.text, /role="alert">\s*\w/)
    })
    await step('With a local account the sign-in ends at the portal', async () => {
      const { status, url } = await submitAccount(opened, tokenIssuerAccount)
      expectEqual('the status at the portal', status, 0)
      await opened.portal.redeem(new URL(url))
    })
  },
})
