import { collectCredential } from '#scenarios/fixtures/accept-offer.ts'
import { chooseWallet, openPortalLogin } from '#scenarios/fixtures/portal-login.ts'
import { presentCredential } from '#scenarios/fixtures/presentations.ts'
import { defineScenario } from '#scenarios/harness/define-scenario.ts'
import {
  expectEqual,
  expectMatch,
  expectPresent,
  expectTrue,
} from '#scenarios/harness/expectations.ts'

export const scenario = defineScenario({
  id: 'broker/single-sign-on',
  title:
    'The token issuer keeps a session of its own: the portal need not ask for the wallet again',
  category: 'Broker',
  algorithms: ['EdDSA'],
  description: `
Unlike the IDP, the token issuer keeps its people signed in. The same browser, sent there again by the
portal, comes back with **another code at once**, about the same subject. Where the portal insists on
a new sign-in (\`prompt=login\`), and in any other browser, the sign-in page is shown. After a **logout**
at the token issuer the sign-in page is shown too.`,
  references: [
    { document: 'Document 1', section: 'What the service does' },
    { document: 'OpenID Connect Core 1.0', section: '3.1.2.1, prompt' },
    { document: 'Assumptions', section: 'A-57' },
  ],

  async run(context) {
    const { step, environment } = context
    const wallet = context.createWallet()
    await step('A wallet holds a credential', () => collectCredential(context, wallet))
    const opened = await step('A portal sends a browser to the token issuer', () =>
      openPortalLogin(context),
    )
    const sub = await step('Its holder signs in by wallet', async () => {
      const login = await chooseWallet(context, opened)
      await presentCredential(context, wallet, login.link)
      await login.awaitEnd('SUCCESS')
      const { idTokenClaims } = await opened.portal.redeem(await login.followRedirect())
      return idTokenClaims.sub
    })
    // Another visit to the portal, in a browser that starts out with no session.
    const next = await step('Another browser is asked to sign in', () => openPortalLogin(context))
    await step('The first one is led back at once, as the same person', async () => {
      const { status, url } = await opened.browser.get(next.portal.authorizationUrl.href)
      expectEqual('the status at the portal', status, 0)
      const { idTokenClaims } = await next.portal.redeem(new URL(url))
      expectEqual('sub', idTokenClaims.sub, sub)
    })
    await step('Where the portal insists, it is asked as well', async () => {
      const url = new URL(opened.portal.authorizationUrl)
      url.searchParams.set('prompt', 'login')
      const page = await opened.browser.get(url.href)
      expectTrue('it is the sign-in page', page.status === 200, `${page.status} ${page.url}`)
    })
    await step('After a logout the person is asked again', async () => {
      const { browser, portal } = opened
      const asked = await browser.get(`${environment.tokenIssuerBaseUrl}/session/end`)
      const [, action] = /<form [^>]*action="([^"]+)"/.exec(asked.text) ?? []
      const [, xsrf = ''] = /name="xsrf" value="([^"]+)"/.exec(asked.text) ?? []
      const url = new URL(expectPresent('the form of the logout page', action), asked.url).href
      const done = await browser.submit(url, { xsrf, logout: 'yes' })
      expectMatch('the page after the logout', done.text, /You are signed out/)
      const page = await browser.get(portal.authorizationUrl.href)
      expectTrue('it is the sign-in page', page.status === 200, `${page.status} ${page.url}`)
    })
  },
})
