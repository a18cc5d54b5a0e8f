import { collectCredential } from '#scenarios/fixtures/accept-offer.ts'
import { revokeCredential } from '#scenarios/fixtures/portal.ts'
import { chooseWallet, openPortalLogin } from '#scenarios/fixtures/portal-login.ts'
import { presentCredential } from '#scenarios/fixtures/presentations.ts'
import { defineScenario } from '#scenarios/harness/define-scenario.ts'
import { expectMatch, expectTrue } from '#scenarios/harness/expectations.ts'

export const scenario = defineScenario({
  id: 'broker/revoked-credential',
  title: 'A revoked credential gets no Bearer token out of the broker',
  category: 'Broker',
  algorithms: ['ES256K'],
  description: `
What the organization has revoked must not mint a token with which more credentials could be issued.
The wallet presents the revoked credential in a login by way of the token issuer. It fails **at the
IDP**, whose page says that it was revoked; the browser stays there, and neither token issuer nor
portal hears of a login.`,
  references: [
    { document: 'Document 1', section: 'States and transitions, rows 3, 7' },
    { document: 'Assumptions', section: 'A-23' },
  ],

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
