import { authorizationUrlOf } from '#scenarios/fixtures/log-in.ts'
import { defineScenario } from '#scenarios/harness/define-scenario.ts'
import { expectEqual, expectMatch, expectTrue } from '#scenarios/harness/expectations.ts'
import { createHttpBrowser } from '#scenarios/harness/http-browser.ts'

export const scenario = defineScenario({
  id: 'login/no-open-redirect',
  title: 'An unknown client or redirect_uri leads the browser nowhere',
  category: 'Login',
  algorithms: ['EdDSA'],
  description: `
Somebody sends people to the IDP with a link of their own. Where the \`client_id\` is unknown, or the
\`redirect_uri\` is not exactly a registered one, the answer is a **page** that says so and never a
redirect: not to the wrong address, and not to the registered one with an error.

Longer ones, other schemes, a query, a fragment, another user: all of them are other addresses.`,
  references: [
    { document: 'Document 1', section: 'Endpoints, Credential IDP, GET /accounts/authorize query' },
    { document: 'RFC 6749', section: '4.1.2.1, 10.15' },
    { document: 'RFC 9700', section: '4.1.3' },
  ],

  async run(context) {
    const { step, environment, httpAs } = context
    const { redirectUri, clientId } = environment.oidcClient
    const expectPage = async (parameters: Readonly<Record<string, string | undefined>>) => {
      const browser = createHttpBrowser([], {}, httpAs('browser').fetch)
      const { href } = authorizationUrlOf(context, parameters)
      const { status, visited, text, headers } = await browser.get(href)
      const what = JSON.stringify(parameters)
      expectEqual(`the status for ${what}`, status, 400)
      expectEqual(`where ${what} leads`, visited, [href])
      expectEqual('the location', headers.get('location'), null)
      expectMatch('the page', text, /<!doctype html>/i)
      expectTrue('the page links to no foreign address', !/href="https?:\/\/evil/.test(text))
    }
    await step('An unknown client gets a page', async () => {
      await expectPage({ client_id: `nobody-${context.uniqueName}` })
      await expectPage({ client_id: undefined })
    })
    await step('So does a redirect_uri that is registered nowhere', async () => {
      await expectPage({ redirect_uri: 'https://evil.example/callback' })
      await expectPage({ redirect_uri: undefined })
    })
    await step('So does one that only looks like the registered one', async () => {
      const registered = new URL(redirectUri)
      for (const similar of [
        `${redirectUri}/`,
        `${redirectUri}/../evil`,
        `${redirectUri}?next=https://evil.example`,
        `${redirectUri}#fragment`,
        redirectUri.replace('://', '://evil.example@'),
        redirectUri.replace(registered.host, `${registered.host}.evil.example`),
        redirectUri.replace(/^http:/, 'https:'),
        redirectUri.toUpperCase(),
      ]) {
        await expectPage({ redirect_uri: similar })
      }
    })
    await step('The registered one leads to the page with a code', async () => {
      const browser = createHttpBrowser([redirectUri], {}, httpAs('browser').fetch)
      const { status } = await browser.get(authorizationUrlOf(context).href)
      expectEqual(`the status for ${clientId}`, status, 200)
    })
  },
})
