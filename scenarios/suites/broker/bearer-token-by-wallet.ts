import { parseJws } from '#core/crypto/jws.ts'
import { acceptOfferLink, obtainCredential } from '#scenarios/fixtures/accept-offer.ts'
import { awaitRedirect, openLogin, scanPage } from '#scenarios/fixtures/browser-login.ts'
import { firstOrganization, powersToRequest } from '#scenarios/fixtures/organizations.ts'
import { awaitRecord, requestOwnOffer } from '#scenarios/fixtures/portal.ts'
import { presentCredential } from '#scenarios/fixtures/presentations.ts'
import { readQr } from '#scenarios/fixtures/qr-images.ts'
import { createRelyingParty } from '#scenarios/fixtures/relying-party.ts'
import { defineScenario } from '#scenarios/harness/define-scenario.ts'
import { expectEqual, expectIncludes, expectTrue } from '#scenarios/harness/expectations.ts'
import { attachScreenshot } from '../../fixtures/browser-login.ts'

export const scenario = defineScenario({
  id: 'broker/bearer-token-by-wallet',
  title: "A login through the token issuer's broker gives a Bearer token that issues a credential",
  category: 'Broker',
  usesBrowser: true,
  algorithms: ['ES256K'],
  description: `
The circle closes: a portal sends a browser to the **token issuer**, whose page offers the wallet.
As a broker it goes on to the IDP, where the wallet presents its credential; the browser comes back
through \`/broker/{alias}/endpoint\` to the portal.

The access token that the token issuer then mints carries what the issuer requires of a Bearer
token. The portal has a further credential issued with it, and the wallet collects that one too.`,
  references: [
    { document: 'Document 1', section: 'What the service does' },
    { document: 'Document 1', section: 'Token claims required by the Issuer' },
    { document: 'Document 1', section: 'Authentication, row 1' },
    { document: 'Assumptions', section: 'A-35, A-42, A-46' },
  ],

  async run(context) {
    const { step, environment } = context
    const { tokenIssuerClient, tokenIssuerBaseUrl } = environment
    const organization = firstOrganization(context)
    const { organizationIdentifier } = organization
    const wallet = context.createWallet()

    const { credential } = await step('A wallet holds a credential', () =>
      obtainCredential(context, wallet),
    )
    const portal = await step('The portal discovers the token issuer', () =>
      createRelyingParty(context, {
        caller: 'portal',
        issuerUrl: tokenIssuerBaseUrl,
        client: tokenIssuerClient,
        scope: 'openid profile email',
      }),
    )
    const login = await step('It sends a browser there, where the wallet is chosen', async () => {
      const { redirectUri } = tokenIssuerClient
      const opened = await openLogin(context, portal.authorizationUrl, redirectUri)
      await attachScreenshot(context, 'Page of the token issuer', opened.page)
      await Promise.all([
        opened.page.waitForNavigation({ waitUntil: 'load' }),
        opened.page.click('a[href^="/broker/"]'),
      ])
      return opened
    })
    const link = await step("The wallet reads the QR on the IDP's page", () =>
      scanPage(context, login.page, 'Page of the IDP'),
    )
    await step('The wallet presents the credential', () => presentCredential(context, wallet, link))
    const address = await step('The browser goes back through the broker to the portal', () =>
      awaitRedirect(context, login),
    )
    const { accessToken } = await step('The portal trades the code for tokens', () =>
      portal.redeem(address),
    )
    await step("The Bearer token carries the issuer's required claims", () => {
      const jws = parseJws(accessToken)
      const { mandator, mandatee } = credential.vc.credentialSubject.mandate
      expectTrue('the access token is a JWT', jws.ok)
      expectIncludes('the claims of the access token', jws.ok ? jws.payload : {}, {
        iss: tokenIssuerBaseUrl,
        organization_identifier: mandator.organizationIdentifier,
        organization: mandator.organization,
        user_identifier: mandatee.employeeId,
        email: mandatee.email,
      })
    })
    const further = await step('With it the portal has a further credential issued', async () => {
      const png = await requestOwnOffer(context, accessToken, powersToRequest(organization))
      return acceptOfferLink(context, wallet, readQr(context, 'QR of the further offer', png))
    })
    await step("The issuer's record is issued, and the wallet holds both", async () => {
      const { credentialId } = further
      await awaitRecord(context, {
        bearerToken: accessToken,
        organizationIdentifier,
        credentialId,
        status: 'issued',
      })
      const held = await wallet.store.listCredentials()
      expectEqual('the number of credentials', held.length, 2)
    })
  },
})
