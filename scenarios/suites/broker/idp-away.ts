import { collectCredential } from '#scenarios/fixtures/accept-offer.ts'
import { chooseWallet, openPortalLogin, submitAccount } from '#scenarios/fixtures/portal-login.ts'
import { presentCredential } from '#scenarios/fixtures/presentations.ts'
import { defineScenario } from '#scenarios/harness/define-scenario.ts'
import { expectEqual, expectMatch, expectTrue } from '#scenarios/harness/expectations.ts'

export const scenario = defineScenario({
  id: 'broker/idp-away',
  title: "While the IDP is away a portal's people sign in another way",
  category: 'Broker',
  algorithms: ['ES256K'],
  exclusive: true,
  description: `
The IDP goes away for the token issuer just when a wallet has presented: the browser is on its way
back, but its code can't be traded. The token issuer shows its **sign-in page** again, which says that
the wallet can't be used at the moment; the portal gets nothing that looks like a login.

With a local account the same sign-in ends at the portal. Once the IDP is back, the wallet works.`,
  references: [
    { document: 'Document 1', section: 'What the service does' },
    { document: 'Assumptions', section: 'A-35' },
  ],

  async run(context) {
    const { step, environment, control } = context
    const { tokenIssuerBaseUrl, tokenIssuerAccount } = environment
    const wallet = context.createWallet()
    await step('A wallet holds a credential', () => collectCredential(context, wallet))
    const opened = await step('A portal sends a browser to the token issuer', () =>
      openPortalLogin(context),
    )
    const login = await step('The wallet logs its holder in at the IDP', async () => {
      const chosen = await chooseWallet(context, opened)
      await presentCredential(context, wallet, chosen.link)
      await chosen.awaitEnd('SUCCESS')
      return chosen
    })
    await step('The IDP is away when the browser comes back: the page says so', async () => {
      await control.setFault('idp-down', true)
      try {
        const { url, status, text } = await login.reload()
        expectTrue('it is the sign-in page', url.startsWith(`${tokenIssuerBaseUrl}/login/`), url)
        expectEqual('the status', status, 200)
        expectMatch('the page', text, /role="alert">[^<]*not possible/)
      } finally {
        await control.setFault('idp-down', false)
      }
    })
    await step('With a local account the same sign-in ends at the portal', async () => {
      const { status, url } = await submitAccount(opened, tokenIssuerAccount)
      expectEqual('the status at the portal', status, 0)
      await opened.portal.redeem(new URL(url))
    })
    await step('Once the IDP is back, the wallet works', async () => {
      const next = await openPortalLogin(context)
      const chosen = await chooseWallet(context, next)
      await presentCredential(context, wallet, chosen.link)
      await chosen.awaitEnd('SUCCESS')
      await next.portal.redeem(await chosen.followRedirect())
    })
  },
})
