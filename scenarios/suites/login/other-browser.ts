import { collectCredential } from '#scenarios/fixtures/accept-offer.ts'
import { beginLogin } from '#scenarios/fixtures/log-in.ts'
import { readSessionStatus } from '#scenarios/fixtures/login-page.ts'
import { presentCredential } from '#scenarios/fixtures/presentations.ts'
import { defineScenario } from '#scenarios/harness/define-scenario.ts'
import { expectEqual, expectTrue } from '#scenarios/harness/expectations.ts'
import { createHttpBrowser, type HttpPage } from '#scenarios/harness/http-browser.ts'

export const scenario = defineScenario({
  id: 'login/other-browser',
  title: 'Whoever stole the session code of a login gets nothing with it',
  category: 'Login',
  algorithms: ['ES256K'],
  description: `
Somebody has copied both the address of a login's page and its session code. With the code they may
ask for the **state**, which is public, and learn nothing else. The page is for the browser that
began the login: any other one is told that this login is none of its own, before and after the
wallet has presented, and can neither cancel nor renew it.

The browser that began the login is led back with a code.`,
  references: [
    { document: 'Document 1', section: 'Authentication, row 5' },
    { document: 'Assumptions', section: 'A-31' },
  ],

  async run(context) {
    const { step, environment, httpAs } = context
    const wallet = context.createWallet()
    await step('A wallet holds a credential', () => collectCredential(context, wallet))
    const { relyingParty, login } = await step('A relying party begins a login', () =>
      beginLogin(context),
    )
    const { redirectUri } = environment.oidcClient
    const thief = createHttpBrowser([redirectUri], {}, httpAs('thief').fetch)
    const expectNothing = ({ status, text, url }: HttpPage) => {
      expectTrue('the thief is refused', status >= 400 && status < 500, `${status} ${url}`)
      expectTrue('the page has no code to scan', !text.includes('id="qr"'))
      expectTrue('the page does not tell the session code', !text.includes(login.sessionCode))
    }
    await step('A thief opens the page and can neither see, renew nor cancel it', async () => {
      expectNothing(await thief.get(login.page.url))
      expectNothing(await thief.submit(`${login.page.url}/renew`, {}))
      expectNothing(await thief.submit(`${login.page.url}/cancel`, {}))
    })
    await step('The wallet presents; the thief sees the state, as anybody may', async () => {
      await presentCredential(context, wallet, login.link)
      await login.awaitEnd('SUCCESS')
      expectEqual('the state', await readSessionStatus(context, login.sessionCode), 'SUCCESS')
    })
    await step('The thief is not led on with it', async () => {
      expectNothing(await thief.get(login.page.url))
      expectNothing(await thief.get(`${login.page.url}?session=${login.sessionCode}`))
      const resume = login.page.url.replace('/accounts/interaction/', '/accounts/authorize/')
      const { status, url } = await thief.get(resume)
      expectTrue('resuming is refused', status >= 400 && status < 500, `${status} ${url}`)
    })
    await step('The browser that began the login is led back', async () =>
      relyingParty.redeem(await login.followRedirect()),
    )
  },
})
