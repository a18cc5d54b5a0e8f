import { collectCredential } from '#scenarios/fixtures/accept-offer.ts'
import { beginLogin } from '#scenarios/fixtures/log-in.ts'
import { postPresentation, preparePresentation } from '#scenarios/fixtures/presentations.ts'
import { defineScenario } from '#scenarios/harness/define-scenario.ts'
import { expectEqual, expectStatus, expectTrue } from '#scenarios/harness/expectations.ts'

export const scenario = defineScenario({
  id: 'login/cancelled',
  title: 'A login that was cancelled leads back with access_denied, and ends there',
  category: 'Login',
  algorithms: ['ES256K'],
  description: `
Somebody gives a login up on the page with the code. The browser goes back to the relying party with
\`error=access_denied\` and the relying party's own \`state\`, and without a code.

The wallet had scanned the code before and answers it **afterwards**: the page of the login gives no
code any more.`,
  references: [
    { document: 'RFC 6749', section: '4.1.2.1' },
    { document: 'Document 1', section: 'Endpoints, Credential IDP, GET /accounts/authorize query' },
  ],

  async run(context) {
    const { step } = context
    const wallet = context.createWallet()
    await step('A wallet holds a credential', () => collectCredential(context, wallet))
    const { relyingParty, login } = await step('A relying party begins a login', () =>
      beginLogin(context),
    )
    const late = await step('The wallet scans the code', () =>
      preparePresentation(context, wallet, login.link),
    )
    await step('Somebody cancels: the browser goes back with access_denied', async () => {
      const { status, url } = await login.browser.submit(`${login.page.url}/cancel`, {})
      expectEqual('the status at the relying party', status, 0)
      const { searchParams } = new URL(url)
      expectEqual('error', searchParams.get('error'), 'access_denied')
      const state = relyingParty.authorizationUrl.searchParams.get('state')
      expectEqual('state', searchParams.get('state'), state)
      expectEqual('code', searchParams.get('code'), null)
    })
    await step('The wallet answers too late: the login is over', async () => {
      expectStatus(await postPresentation(context, late), 200)
      const { status, url } = await login.reload()
      expectTrue('the page gives no code', status >= 400 && status < 500, `${status} ${url}`)
    })
  },
})
