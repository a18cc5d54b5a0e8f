import { collectCredential } from '#scenarios/fixtures/accept-offer.ts'
import { beginLogin } from '#scenarios/fixtures/log-in.ts'
import { presentCredential } from '#scenarios/fixtures/presentations.ts'
import { defineScenario } from '#scenarios/harness/define-scenario.ts'
import { expectEqual, expectPresent, expectTrue } from '#scenarios/harness/expectations.ts'
import { createHttpBrowser } from '#scenarios/harness/http-browser.ts'

export const scenario = defineScenario({
  id: 'login/same-device',
  title: 'On a phone the wallet leads its holder back into the login, once',
  category: 'Login',
  algorithms: ['EdDSA'],
  description: `
Browser and wallet are on the same phone. The page's link opens the wallet, and the verifier's answer
to the presentation holds a \`redirect_uri\` by which the holder's flow continues.

- Opened in **another** browser, for example on the phone that scanned a computer's screen, it only
  says that the other device goes on.
- In the browser that began the login it leads to the relying party with a code.
- It works **once**: opened again, it leads nowhere.`,
  references: [
    { document: 'Document 1', section: 'Endpoint a verifier exposes to the wallet' },
    { document: 'OpenID4VP 1.0', section: '8.2' },
    { document: 'Assumptions', section: 'A-31' },
  ],

  async run(context) {
    const { step, environment, httpAs } = context
    const wallet = context.createWallet()
    await step('A wallet holds a credential', () => collectCredential(context, wallet))
    const { relyingParty, login } = await step('The browser on a phone begins a login', () =>
      beginLogin(context),
    )
    const redirectUri = await step('Its link opens the wallet, which presents', async () => {
      const link = login.page.text.match(/id="same-device" href="([^"]+)"/)?.[1]
      expectEqual('the link on the page', link?.replaceAll('&amp;', '&'), login.link)
      const presented = await presentCredential(context, wallet, login.link)
      return expectPresent("redirect_uri in the verifier's answer", presented.redirectUri)
    })
    await step('Another browser is told that the login goes on elsewhere', async () => {
      const stop = [environment.oidcClient.redirectUri]
      const other = createHttpBrowser(stop, {}, httpAs('other-browser').fetch)
      const { status, visited } = await other.get(redirectUri)
      expectEqual('the status of the page', status, 200)
      expectEqual('where it went', visited, [redirectUri])
    })
    const address = await step('The browser that began the login is led back', async () => {
      const { status, url } = await login.browser.get(redirectUri)
      expectTrue('it is at the relying party', status === 0, `${status} ${url}`)
      return new URL(url)
    })
    await step('Opened again, the address leads nowhere', async () => {
      const { status, url } = await login.browser.get(redirectUri)
      expectTrue('the browser stays at the IDP', status !== 0, `${status} ${url}`)
    })
    await step('The relying party gets its tokens', () => relyingParty.redeem(address))
  },
})
