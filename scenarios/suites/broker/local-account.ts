import { parseJws } from '#core/crypto/jws.ts'
import { acceptOfferLink } from '#scenarios/fixtures/accept-offer.ts'
import { powersToRequest } from '#scenarios/fixtures/organizations.ts'
import { requestOwnOffer } from '#scenarios/fixtures/portal.ts'
import { openPortalLogin, submitAccount } from '#scenarios/fixtures/portal-login.ts'
import { readQr } from '#scenarios/fixtures/qr-images.ts'
import { defineScenario } from '#scenarios/harness/define-scenario.ts'
import {
  expectEqual,
  expectIncludes,
  expectPresent,
  expectTrue,
} from '#scenarios/harness/expectations.ts'

export const scenario = defineScenario({
  id: 'broker/local-account',
  title: 'Who has no credential yet gets the first one with a local account',
  category: 'Broker',
  algorithms: ['ES256K'],
  description: `
The representative of a newly onboarded organization has no credential to log in with. At the token
issuer they use a **local account** instead: a wrong password is refused on the page, the right one
leads back to the portal.

The Bearer token is as good as any: the issuer issues the representative's first credential with it.`,
  references: [
    { document: 'Document 1', section: 'What the service does' },
    { document: 'Document 1', section: 'Token claims required by the Issuer' },
    { document: 'Assumptions', section: 'A-35' },
  ],

  async run(context) {
    const { step, environment } = context
    const { tokenIssuerAccount: account, tokenIssuerBaseUrl } = environment
    const wallet = context.createWallet()

    const opened = await step('A portal sends a browser to the token issuer', () =>
      openPortalLogin(context),
    )
    await step('A wrong password is refused on the page', async () => {
      const { status, url } = await submitAccount(opened, { ...account, password: 'not this one' })
      expectEqual('the status', status, 401)
      expectEqual('where the browser is', url, opened.page.url)
    })
    const tokens = await step('The right one leads back to the portal', async () => {
      const { status, url } = await submitAccount(opened, account)
      expectEqual('the status at the portal', status, 0)
      return opened.portal.redeem(new URL(url))
    })
    const claims = await step('The Bearer token has what the issuer requires', () => {
      const jws = parseJws(tokens.accessToken)
      const found = jws.ok ? jws.payload : {}
      const organization = environment.organizations.find(
        (each) => each.organizationIdentifier === found.organization_identifier,
      )
      const { representative, ...known } = expectPresent('the organization', organization)
      expectIncludes('the access token', found, {
        iss: tokenIssuerBaseUrl,
        organization: known.organization,
        user_identifier: representative.userIdentifier,
        email: representative.email,
      })
      return { ...known, representative }
    })
    await step('The issuer issues the first credential with it', async () => {
      const png = await requestOwnOffer(context, tokens.accessToken, powersToRequest(claims))
      const link = readQr(context, 'QR of the offer', png)
      const { vc } = await acceptOfferLink(context, wallet, link)
      const { mandatee } = vc.credentialSubject.mandate
      expectTrue('it is theirs', mandatee.email === claims.representative.email, mandatee)
    })
  },
})
