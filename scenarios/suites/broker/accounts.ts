import { parseJws } from '#core/crypto/jws.ts'
import {
  acceptOfferLink,
  collectCredential,
  createWalletWithCredential,
} from '#scenarios/fixtures/accept-offer.ts'
import { expectedBearerClaims } from '#scenarios/fixtures/held-credentials.ts'
import { completeLogin } from '#scenarios/fixtures/log-in.ts'
import { powersToRequest } from '#scenarios/fixtures/organizations.ts'
import {
  chooseWallet,
  openPortalLogin,
  requestOwnOffer,
  submitAccount,
} from '#scenarios/fixtures/portal.ts'
import { presentCredential } from '#scenarios/fixtures/presentations.ts'
import { readQr } from '#scenarios/fixtures/qr-images.ts'
import { cite, defineScenario } from '#scenarios/harness/define-scenario.ts'
import {
  expectEqual,
  expectIncludes,
  expectMatch,
  expectPresent,
  expectTrue,
} from '#scenarios/harness/expectations.ts'
import type { Wallet } from '#wallet-emulator/create-wallet.ts'

const localAccount = defineScenario({
  id: 'broker/local-account',
  title: 'A user without a credential logs in with a local account and gets a first credential',
  algorithms: ['ES256K'],
  description: `
The representative of a newly onboarded organization has no credential to log in with. At the token
issuer they use a **local account** instead. The page rejects a wrong password; the correct one returns
to the portal.

The Bearer token is fully valid: the issuer issues the representative's first credential with it.`,
  references: cite(
    'Profile: 1.what-the-service-does',
    'Profile: 1.resources-and-their-fields/token-claims-required-by-the-issuer',
    'Assumptions: A-35',
  ),

  async run(context) {
    const { step, environment } = context
    const { tokenIssuerAccount: account, tokenIssuerBaseUrl } = environment
    const wallet = context.createWallet()

    const opened = await step('A portal sends a browser to the token issuer', openPortalLogin)
    await step('The page rejects a wrong password', async () => {
      const { status, url } = await submitAccount(opened, { ...account, password: 'not this one' })
      expectEqual('the status', status, 401)
      expectEqual('the address in the browser', url, opened.page.url)
    })
    const tokens = await step('The correct password leads back to the portal', async () => {
      const { status, url } = await submitAccount(opened, account)
      expectEqual('the status at the portal', status, 0)
      return opened.portal.redeem(new URL(url))
    })
    const claims = await step('The Bearer token has the claims that the issuer requires', () => {
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
      const link = readQr(context, 'QR code of the offer', png)
      const { vc } = await acceptOfferLink(context, wallet, link)
      const { mandatee } = vc.credentialSubject.mandate
      expectTrue(
        "the credential is the representative's",
        mandatee.email === claims.representative.email,
        mandatee,
      )
    })
  },
})

const samePersonAgain = defineScenario({
  id: 'broker/same-person-again',
  title: 'The token issuer recognizes a person only by the subject that the IDP assigns',
  algorithms: ['ES256K'],
  description: `
A representative logs in with a wallet, gets a **new credential on a new phone**, and logs in with the
new credential. The token issuer uses the same account, with the same subject.

The representative of another organization has a different account, with a different subject and the
claims of that organization.`,
  references: cite('Profile: 1.what-the-service-does', 'Assumptions: A-42'),

  async run(context) {
    const { step, environment } = context
    const [first, second] = environment.organizations
    const logInAtPortal = async (wallet: Wallet) => {
      const opened = await openPortalLogin(context)
      const login = await chooseWallet(context, opened)
      await presentCredential(context, wallet, login.link)
      await login.awaitEnd('SUCCESS')
      return (await opened.portal.redeem(await login.followRedirect())).idTokenClaims
    }
    const logInWithNew = async (organizationIdentifier = '') => {
      const wallet = context.createWallet()
      const credential = await collectCredential(context, wallet, { organizationIdentifier })
      const claims = await logInAtPortal(wallet)
      expectIncludes('the id_token', claims, expectedBearerClaims(credential))
      return claims.sub
    }
    const before = await step('A representative logs in with a wallet', () =>
      logInWithNew(first?.organizationIdentifier),
    )
    await step('A new credential on a new phone leads to the same account', async () => {
      const after = await logInWithNew(first?.organizationIdentifier)
      expectTrue('the subject is the same', after === before, [before, after])
    })
    await step('The representative of another organization has a different account', async () => {
      const other = await logInWithNew(second?.organizationIdentifier)
      expectTrue('the subject is different', other !== before, other)
    })
  },
})

const singleSignOn = defineScenario({
  id: 'broker/single-sign-on',
  title:
    'The token issuer keeps its own session, so a user does not need the wallet for each login',
  algorithms: ['EdDSA'],
  description: `
Unlike the IDP, the token issuer keeps its users logged in. If the portal sends the same browser there
again, it returns **immediately with a new code** for the same subject. The login page appears if the
portal requires a new login (\`prompt=login\`), in any other browser, and after a **logout** at the
token issuer.`,
  references: cite(
    'Profile: 1.what-the-service-does',
    'OpenID Connect Core 1.0: 3.1.2.1, prompt',
    'Assumptions: A-57',
  ),

  async run(context) {
    const { step, environment } = context
    const wallet = await createWalletWithCredential(context)
    const opened = await step('A portal sends a browser to the token issuer', openPortalLogin)
    const sub = await step('The holder logs in with a wallet', async () => {
      const login = await chooseWallet(context, opened)
      await presentCredential(context, wallet, login.link)
      const { idTokenClaims } = await completeLogin({ login, relyingParty: opened.portal })
      return idTokenClaims.sub
    })
    // Another visit to the portal, in a browser that has no session.
    const next = await step('Another browser is asked to log in', openPortalLogin)
    await step('The first browser returns immediately, as the same person', async () => {
      const { status, url } = await opened.browser.get(next.portal.authorizationUrl.href)
      expectEqual('the status at the portal', status, 0)
      const { idTokenClaims } = await next.portal.redeem(new URL(url))
      expectEqual('sub', idTokenClaims.sub, sub)
    })
    await step(
      'If the portal requires a new login, the first browser shows the page too',
      async () => {
        const url = new URL(opened.portal.authorizationUrl)
        url.searchParams.set('prompt', 'login')
        const page = await opened.browser.get(url.href)
        expectTrue('it is the login page', page.status === 200, `${page.status} ${page.url}`)
      },
    )
    await step('After a logout the login page appears again', async () => {
      const { browser, portal } = opened
      const asked = await browser.get(`${environment.tokenIssuerBaseUrl}/session/end`)
      const [, action] = /<form [^>]*action="([^"]+)"/.exec(asked.text) ?? []
      const [, xsrf = ''] = /name="xsrf" value="([^"]+)"/.exec(asked.text) ?? []
      const url = new URL(expectPresent('the form of the logout page', action), asked.url).href
      const done = await browser.submit(url, { xsrf, logout: 'yes' })
      expectMatch('the page after the logout', done.text, /You are logged out/)
      const page = await browser.get(portal.authorizationUrl.href)
      expectTrue('it is the login page', page.status === 200, `${page.status} ${page.url}`)
    })
  },
})

export const scenarios = [localAccount, samePersonAgain, singleSignOn]
