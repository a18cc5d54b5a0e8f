import { collectCredential, createWalletWithCredential } from '#scenarios/fixtures/accept-offer.ts'
import { completeLogin } from '#scenarios/fixtures/log-in.ts'
import { revokeCredential } from '#scenarios/fixtures/portal.ts'
import { chooseWallet, openPortalLogin, submitAccount } from '#scenarios/fixtures/portal-login.ts'
import { presentCredential } from '#scenarios/fixtures/presentations.ts'
import { cite, defineScenario } from '#scenarios/harness/define-scenario.ts'
import { expectEqual, expectMatch, expectTrue } from '#scenarios/harness/expectations.ts'

const cancelledAtTheIdp = defineScenario({
  id: 'broker/cancelled-at-the-idp',
  title: 'A login that is cancelled at the IDP goes on at the token issuer',
  algorithms: ['EdDSA'],
  description: `
Somebody chooses the wallet, does not find it, and cancels on the IDP's page. The broker gets
\`access_denied\` and shows **its own page again**, with a word about it: the portal has heard of
nothing, and the sign-in goes on there. With a local account it leads back to the portal.`,
  references: cite('Profile: 1.what-the-service-does', 'RFC 6749: 4.1.2.1', 'Assumptions: A-35'),

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

const idpAway = defineScenario({
  id: 'broker/idp-away',
  title: "While the IDP is away a portal's people sign in another way",
  algorithms: ['ES256K'],
  exclusive: true,
  description: `
The IDP goes away for the token issuer just when a wallet has presented: the browser is on its way
back, but its code can't be traded. The token issuer shows its **sign-in page** again, which says that
the wallet can't be used at the moment; the portal gets nothing that looks like a login.

With a local account the same sign-in ends at the portal. Once the IDP is back, the wallet works.`,
  references: cite('Profile: 1.what-the-service-does', 'Assumptions: A-35'),

  async run(context) {
    const { step, environment, control } = context
    const { tokenIssuerBaseUrl, tokenIssuerAccount } = environment
    const wallet = await createWalletWithCredential(context)
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
      await completeLogin({ login: chosen, relyingParty: next.portal })
    })
  },
})

const revokedCredential = defineScenario({
  id: 'broker/revoked-credential',
  title: 'A revoked credential gets no Bearer token out of the broker',
  algorithms: ['ES256K'],
  description: `
What the organization has revoked must not mint a token with which more credentials could be issued.
The wallet presents the revoked credential in a login by way of the token issuer. It fails **at the
IDP**, whose page says that it was revoked; the browser stays there, and neither token issuer nor
portal hears of a login.`,
  references: cite(
    'Profile: 1.states-and-transitions.3, 1.states-and-transitions.7',
    'Assumptions: A-23',
  ),

  async run(context) {
    const { step, environment } = context
    const wallet = context.createWallet()
    await step('A wallet holds a credential, which is revoked', async () => {
      const { credentialId } = await collectCredential(context, wallet)
      await revokeCredential(context, credentialId)
    })
    const login = await step('A portal has a browser log in by wallet', async () =>
      chooseWallet(context, await openPortalLogin(context)),
    )
    await step('The wallet presents it, and the login fails', async () => {
      await presentCredential(context, wallet, login.link)
      await login.awaitEnd('FAILED')
    })
    await step("The browser stays on the IDP's page, which says why", async () => {
      const { url, status, text } = await login.reload()
      expectTrue('it is at the IDP', url.startsWith(environment.idpBaseUrl), `${status} ${url}`)
      expectMatch('the page', text, /was revoked/)
    })
  },
})

export const scenarios = [cancelledAtTheIdp, idpAway, revokedCredential]
