import { acceptOfferLink, collectCredential } from '#scenarios/fixtures/accept-offer.ts'
import { powersToRequest } from '#scenarios/fixtures/organizations.ts'
import { requestOwnOffer } from '#scenarios/fixtures/portal.ts'
import { chooseWallet, openPortalLogin } from '#scenarios/fixtures/portal-login.ts'
import { presentCredential } from '#scenarios/fixtures/presentations.ts'
import { readQr } from '#scenarios/fixtures/qr-images.ts'
import { defineScenario } from '#scenarios/harness/define-scenario.ts'
import { expectIncludes, expectPresent } from '#scenarios/harness/expectations.ts'

export const scenario = defineScenario({
  id: 'broker/names-of-the-person',
  title: "A wallet login keeps the person's names, whatever their email address is",
  category: 'Broker',
  description: `
A representative has the address \`info@…\`, which does not contain their name. They log in to a
portal with their wallet, through the token issuer as a broker, and the portal has a further
credential issued.

\`given_name\`, \`family_name\` and \`name\` reach the access token, so the new credential has the
**same first and last name** as the one that was presented. The issuer does not have to guess them
from the address.`,
  references: [
    { document: 'Document 1', section: 'IDP id_token claims (scope openid-vp-lear)' },
    { document: 'Document 1', section: 'Token claims required by the Issuer' },
    { document: 'Assumptions', section: 'A-41, A-42' },
  ],

  async run(context) {
    const { step, environment } = context
    const wallet = context.createWallet()
    const organization = expectPresent(
      'an organization whose representative has another address than their name',
      environment.organizations.find(({ representative: { email, givenName } }) => {
        return givenName !== undefined && !email.includes(givenName.toLowerCase())
      }),
    )
    const { organizationIdentifier, representative } = organization
    const { givenName = '', familyName = '', email } = representative

    await step('A wallet holds the credential of that representative', () =>
      collectCredential(context, wallet, { organizationIdentifier }),
    )
    const opened = await step('A portal sends a browser to the token issuer', () =>
      openPortalLogin(context),
    )
    const login = await step('The wallet is chosen there: the IDP shows a code', () =>
      chooseWallet(context, opened),
    )
    const tokens = await step('The wallet presents, and the portal gets its tokens', async () => {
      await presentCredential(context, wallet, login.link)
      await login.awaitEnd('SUCCESS')
      return opened.portal.redeem(await login.followRedirect())
    })
    const names = { firstName: givenName, lastName: familyName }
    await step('The further credential has the names of the first', async () => {
      const png = await requestOwnOffer(context, tokens.accessToken, powersToRequest(organization))
      const link = readQr(context, 'QR of the further offer', png)
      const { mandator, mandatee } = (await acceptOfferLink(context, wallet, link)).vc
        .credentialSubject.mandate
      expectIncludes('the mandatee', mandatee, { ...names, email })
      expectIncludes('the mandator', mandator, { commonName: `${givenName} ${familyName}` })
    })
  },
})
