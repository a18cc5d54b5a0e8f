import { parseJws } from '#core/crypto/jws.ts'
import {
  acceptOfferLink,
  collectCredential,
  obtainCredential,
} from '#scenarios/fixtures/accept-offer.ts'
import { expectedClaims } from '#scenarios/fixtures/held-credentials.ts'
import { completeLogin, logIn } from '#scenarios/fixtures/log-in.ts'
import {
  attachScreenshot,
  awaitRedirect,
  openLogin,
  scanPage,
} from '#scenarios/fixtures/login-page.ts'
import { firstOrganization, powersToRequest } from '#scenarios/fixtures/organizations.ts'
import { createUuidUrn } from '#scenarios/fixtures/own-dids.ts'
import {
  awaitRecord,
  chooseWallet,
  openPortalLogin,
  requestOwnOffer,
} from '#scenarios/fixtures/portal.ts'
import { presentCredential } from '#scenarios/fixtures/presentations.ts'
import { readQr } from '#scenarios/fixtures/qr-images.ts'
import { createRelyingParty } from '#scenarios/fixtures/relying-party.ts'
import { cite, defineScenario } from '#scenarios/harness/define-scenario.ts'
import {
  expectEqual,
  expectIncludes,
  expectJson,
  expectMatch,
  expectPresent,
  expectStatus,
  expectTrue,
} from '#scenarios/harness/expectations.ts'

const bearerTokenByWallet = defineScenario({
  id: 'broker/bearer-token-by-wallet',
  title:
    'A login through the token issuer as a broker yields a Bearer token that issues a credential',
  usesBrowser: true,
  algorithms: ['ES256K'],
  description: `
A portal sends a browser to the **token issuer**, whose page offers the wallet. As a broker it sends
the browser on to the IDP, where the wallet presents its credential. The browser returns to the portal
through \`/broker/{alias}/endpoint\`.

The access token contains the claims that the issuer requires of a Bearer token. With this token the
portal requests a further credential, and the wallet collects it.`,
  references: cite(
    'Profile: 1.what-the-service-does',
    'Profile: 1.resources-and-their-fields/token-claims-required-by-the-issuer',
    'Profile: 1.authentication.1',
    'Assumptions: A-35, A-42, A-46',
  ),

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
    const login = await step(
      'The portal sends a browser there, and the user chooses the wallet',
      async () => {
        const { redirectUri } = tokenIssuerClient
        const opened = await openLogin(context, portal.authorizationUrl, redirectUri)
        await attachScreenshot(context, 'Page of the token issuer', opened.page)
        await Promise.all([
          opened.page.waitForNavigation({ waitUntil: 'load' }),
          opened.page.click('a[href^="/broker/"]'),
        ])
        return opened
      },
    )
    const link = await step("The wallet reads the QR code on the IDP's page", () =>
      scanPage(context, login.page, 'Page of the IDP'),
    )
    await step('The wallet presents the credential', () => presentCredential(context, wallet, link))
    const address = await step('The browser goes back through the broker to the portal', () =>
      awaitRedirect(context, login),
    )
    const { accessToken } = await step('The portal exchanges the code for tokens', () =>
      portal.redeem(address),
    )
    await step('The Bearer token contains the claims that the issuer requires', () => {
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
    const further = await step(
      'The portal requests a further credential with the Bearer token',
      async () => {
        const png = await requestOwnOffer(context, accessToken, powersToRequest(organization))
        return acceptOfferLink(
          context,
          wallet,
          readQr(context, 'QR code of the further offer', png),
        )
      },
    )
    await step("The issuer's record is issued, and the wallet holds both credentials", async () => {
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

const mappedClaims = defineScenario({
  id: 'broker/mapped-claims',
  title: "Each attribute of a credential reaches the portal's tokens through a mapper",
  description: `
A user logs in to a portal with a wallet, through the token issuer as a broker. One mapper exists for
each attribute, so the portal's id_token has **all the claims** of the IDP's token: names, address,
organization, \`user_identifier\` and \`power\`, which is still the list serialized as a string.

The access token has them too, not only the claims that the issuer requires. Its subject is the token
issuer's own. It is neither an address nor the subject that the IDP assigns to the holder.`,
  references: cite(
    'Profile: 1.resources-and-their-fields/idp-id-token-claims',
    'Profile: 1.resources-and-their-fields/token-claims-required-by-the-issuer',
    'Assumptions: A-42',
  ),

  async run(context) {
    const { step, environment } = context
    const wallet = context.createWallet()
    const credential = await step('A wallet holds a credential', () =>
      collectCredential(context, wallet),
    )
    const opened = await step('A portal sends a browser to the token issuer', openPortalLogin)
    const login = await step('The user chooses the wallet, and the IDP shows a QR code', () =>
      chooseWallet(context, opened),
    )
    const tokens = await step('The wallet presents, and the portal gets its tokens', async () => {
      await presentCredential(context, wallet, login.link)
      return completeLogin({ login, relyingParty: opened.portal })
    })
    const { sub, ...claims } = expectedClaims(credential)
    await step("The portal's id_token has all attributes", () => {
      const { idTokenClaims } = tokens
      expectIncludes('the id_token', idTokenClaims, claims)
      expectMatch('power', idTokenClaims.power, /^\[\{.*\}\]$/)
      expectTrue('the subject is not an email address', !String(idTokenClaims.sub).includes('@'))
      expectTrue("the subject is not the IDP's", idTokenClaims.sub !== sub, sub)
    })
    await step('The Bearer token has all attributes', () => {
      const jws = parseJws(tokens.accessToken)
      expectIncludes('the access token', jws.ok ? jws.payload : {}, {
        iss: environment.tokenIssuerBaseUrl,
        ...claims,
      })
    })
  },
})

const namesOfThePerson = defineScenario({
  id: 'broker/names-of-the-person',
  title: "A wallet login keeps the person's names even if the email address does not contain them",
  description: `
A representative has the address \`info@…\`, which does not contain their name. They log in to a
portal with their wallet, through the token issuer as a broker, and the portal has a further
credential issued.

\`given_name\`, \`family_name\` and \`name\` reach the access token, so the new credential has the
**same first and last name** as the one that was presented. The issuer does not have to guess them
from the address.`,
  references: cite(
    'Profile: 1.resources-and-their-fields/idp-id-token-claims',
    'Profile: 1.resources-and-their-fields/token-claims-required-by-the-issuer',
    'Assumptions: A-41, A-42',
  ),

  async run(context) {
    const { step, environment } = context
    const wallet = context.createWallet()
    const organization = expectPresent(
      'an organization whose representative has an address without their name',
      environment.organizations.find(({ representative: { email, givenName } }) => {
        return givenName !== undefined && !email.includes(givenName.toLowerCase())
      }),
    )
    const { organizationIdentifier, representative } = organization
    const { givenName = '', familyName = '', email } = representative

    await step('A wallet holds the credential of that representative', () =>
      collectCredential(context, wallet, { organizationIdentifier }),
    )
    const opened = await step('A portal sends a browser to the token issuer', openPortalLogin)
    const login = await step('The user chooses the wallet, and the IDP shows a QR code', () =>
      chooseWallet(context, opened),
    )
    const tokens = await step('The wallet presents, and the portal gets its tokens', async () => {
      await presentCredential(context, wallet, login.link)
      return completeLogin({ login, relyingParty: opened.portal })
    })
    const names = { firstName: givenName, lastName: familyName }
    await step('The further credential has the names of the first one', async () => {
      const png = await requestOwnOffer(context, tokens.accessToken, powersToRequest(organization))
      const link = readQr(context, 'QR code of the further offer', png)
      const { mandator, mandatee } = (await acceptOfferLink(context, wallet, link)).vc
        .credentialSubject.mandate
      expectIncludes('the mandatee', mandatee, { ...names, email })
      expectIncludes('the mandator', mandator, { commonName: `${givenName} ${familyName}` })
    })
  },
})

const otherIssuersTokens = defineScenario({
  id: 'broker/other-issuers-tokens',
  title: 'The issuer rejects the tokens of the IDP and accepts only those of the token issuer',
  algorithms: ['EdDSA'],
  description: `
A relying party has tokens of the **IDP** about a holder with a suitable credential. They verify with the
key set of the IDP, not with the one at \`JWKS_URI\`. Each endpoint of the issuer answers the access
token and the id_token with 401 \`{error: Unauthorized, detail: invalid token}\`. This is why a broker
is necessary.

The issuer accepts the token issuer's token for the same organization.`,
  references: cite('Profile: 1.authentication.1', 'Profile: 1.errors.1'),

  async run(context) {
    const { step, environment, httpAs, control } = context
    const organization = firstOrganization(context)
    const { organizationIdentifier } = organization
    const wallet = context.createWallet()
    const bodies = {
      '/issuance/representative': { power: powersToRequest(organization) },
      '/issuance/credential': { organization_identifiers: [organizationIdentifier] },
      '/issuance/credential/revoke': { credential_id: createUuidUrn(context) },
      '/issuance/identifiers': { subject_id: context.uniqueName },
    }
    const ask = (path: keyof typeof bodies, token: string) =>
      httpAs('portal').request(`${environment.issuerBaseUrl}${path}`, {
        json: bodies[path],
        headers: { authorization: `Bearer ${token}` },
      })
    await step('A wallet holds a credential', () => collectCredential(context, wallet))
    const { accessToken, idToken } = await step('A relying party has tokens of the IDP', () =>
      logIn(context, wallet),
    )
    await step('The issuer rejects both', async () => {
      for (const path of Object.keys(bodies) as (keyof typeof bodies)[]) {
        for (const token of [accessToken, idToken]) {
          const answer = expectJson(await ask(path, token), 401)
          expectIncludes('the response', answer, { error: 'Unauthorized', detail: 'invalid token' })
        }
      }
    })
    await step('It accepts the token of the token issuer', async () => {
      const token = await control.createBearerToken({ organizationIdentifier })
      expectStatus(await ask('/issuance/identifiers', token), 200)
    })
  },
})

export const scenarios = [bearerTokenByWallet, mappedClaims, namesOfThePerson, otherIssuersTokens]
