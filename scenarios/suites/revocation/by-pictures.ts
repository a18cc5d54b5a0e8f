import { acceptOfferLink } from '#scenarios/fixtures/accept-offer.ts'
import {
  awaitLoginState,
  awaitRedirect,
  type OpenedLogin,
  openLogin,
  scanPage,
} from '#scenarios/fixtures/browser-login.ts'
import { brokenRulesOf } from '#scenarios/fixtures/login-page.ts'
import { firstOrganization, powersToRequest } from '#scenarios/fixtures/organizations.ts'
import {
  receiveOfferMail,
  requestEmployeeOffer,
  revokeCredential,
} from '#scenarios/fixtures/portal.ts'
import { presentCredential } from '#scenarios/fixtures/presentations.ts'
import { createRelyingParty } from '#scenarios/fixtures/relying-party.ts'
import { defineScenario } from '#scenarios/harness/define-scenario.ts'
import { expectEqual, expectTrue } from '#scenarios/harness/expectations.ts'

export const scenario = defineScenario({
  id: 'revocation/by-pictures',
  title: 'Issued, presented, revoked and rejected, with nothing but pictures in between',
  category: 'Revocation',
  usesBrowser: true,
  algorithms: ['ES256K'],
  description: `
Everything that reaches the wallet comes as a picture, as for a person with a phone:

1. the offer is the PNG attached to an employee's mail,
2. the presentation request is on a screenshot of the login page in a real browser: the login succeeds,
3. the organization revokes the credential,
4. the next login page, again a screenshot, ends as *failed* in front of the person, for
   \`credential.status\` alone, and the browser never gets a code.`,
  references: [
    { document: 'Document 1', section: 'What the service does' },
    { document: 'Document 1', section: 'States and transitions, rows 3, 4, 7' },
    { document: 'Assumptions', section: 'A-22, A-23' },
  ],

  async run(context) {
    const { step, environment, control, uniqueName } = context
    const { oidcClient, idpBaseUrl } = environment
    const organization = firstOrganization(context)
    const { organizationIdentifier } = organization
    const wallet = context.createWallet()
    const email = `ana.${uniqueName}@example.org`

    const credential = await step('An employee scans the picture attached to a mail', async () => {
      const bearerToken = await control.createBearerToken({ organizationIdentifier })
      const power = powersToRequest(organization)
      await requestEmployeeOffer(context, bearerToken, { email, power })
      const { link } = await receiveOfferMail(context, email)
      return acceptOfferLink(context, wallet, link)
    })

    const beginLogin = async () => {
      const relyingParty = await createRelyingParty(context, {
        caller: 'relying-party',
        issuerUrl: idpBaseUrl,
        client: oidcClient,
        scope: 'openid openid-vp-lear',
      })
      const { authorizationUrl } = relyingParty
      const login: OpenedLogin = await openLogin(context, authorizationUrl, oidcClient.redirectUri)
      return { relyingParty, login }
    }

    const first = await step('A relying party sends a browser to the IDP', beginLogin)
    await step('The wallet scans the screen and presents the credential', async () => {
      await presentCredential(context, wallet, await scanPage(context, first.login.page))
    })
    await step('The browser is led back, and the code gives tokens', async () => {
      const tokens = await first.relyingParty.redeem(await awaitRedirect(context, first.login))
      expectEqual('email of the id_token', tokens.idTokenClaims.email, email)
    })

    await step('The organization revokes the credential', () =>
      revokeCredential(context, credential.credentialId),
    )

    const second = await step('The browser begins another login', beginLogin)
    await step('The wallet scans the screen and presents the revoked credential', async () => {
      await presentCredential(context, wallet, await scanPage(context, second.login.page))
    })
    await step('The page rejects it in front of the person', async () => {
      const { page } = second.login
      await awaitLoginState(context, page, 'failed')
      const text = await page.content()
      expectEqual('the broken rules', brokenRulesOf({ text }), ['credential.status'])
      const stays = page.url().startsWith(`${idpBaseUrl}/`)
      expectTrue('the browser stays at the IDP', stays, page.url())
    })
  },
})
