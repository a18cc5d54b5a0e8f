import { parseJws } from '#core/crypto/jws.ts'
import {
  collectCredential,
  createWalletWithCredential,
  obtainCredential,
} from '#scenarios/fixtures/accept-offer.ts'
import { resolveEnvironmentDid } from '#scenarios/fixtures/environment-trust.ts'
import { expectedClaims } from '#scenarios/fixtures/held-credentials.ts'
import {
  beginLogin,
  beginLoginWithCredential,
  completeLogin,
  logIn,
} from '#scenarios/fixtures/log-in.ts'
import {
  awaitRedirect,
  openLogin,
  readSessionStatus,
  scanPage,
} from '#scenarios/fixtures/login-page.ts'
import { presentCredential } from '#scenarios/fixtures/presentations.ts'
import { createRelyingParty } from '#scenarios/fixtures/relying-party.ts'
import { expectWalletStop } from '#scenarios/fixtures/wallet-refusals.ts'
import { cite, defineScenario } from '#scenarios/harness/define-scenario.ts'
import {
  expectEqual,
  expectIncludes,
  expectMatch,
  expectPresent,
  expectTrue,
} from '#scenarios/harness/expectations.ts'
import { createHttpBrowser } from '#scenarios/harness/http-browser.ts'
import { present } from '#wallet-emulator/actions/present.ts'

const openidVpLear = defineScenario({
  id: 'login/openid-vp-lear',
  title: 'A login in a browser yields all claims of scope openid-vp-lear',
  usesBrowser: true,
  algorithms: ['ES256K'],
  description: `
A relying party (openid-client) sends a real browser to the IDP. The wallet reads the QR code from a
**screenshot of the page**, fetches the signed request and presents its credential. The verifier accepts
it, the page detects this, and the browser returns with a code.

The relying party exchanges the code for tokens and checks the id_token with the IDP's published keys. All
claims of the scope have the values of the credential, \`power\` is a *string* with the serialized list,
and the userinfo endpoint returns the same claims.`,
  references: cite(
    'Profile: 1.endpoints/credential-idp',
    'Profile: 1.resources-and-their-fields/idp-id-token-claims',
    'Profile: 1.resources-and-their-fields/presentation-authorization-request',
    'Assumptions: A-31, A-42, A-45',
  ),

  async run(context) {
    const { step, environment } = context
    const { oidcClient, idpBaseUrl } = environment
    const wallet = context.createWallet()

    const { credential } = await step('A wallet holds a credential', () =>
      obtainCredential(context, wallet),
    )
    const relyingParty = await step('The relying party discovers the IDP', () =>
      createRelyingParty(context, {
        caller: 'relying-party',
        issuerUrl: idpBaseUrl,
        client: oidcClient,
        scope: 'openid profile email openid-vp-lear',
      }),
    )
    const login = await step('It sends a browser there, which shows a page', () =>
      openLogin(context, relyingParty.authorizationUrl, oidcClient.redirectUri),
    )
    const link = await step('The wallet reads the QR code from a screenshot of the page', () =>
      scanPage(context, login.page),
    )
    await step('The wallet verifies the request and presents the credential', () =>
      presentCredential(context, wallet, link),
    )
    const address = await step('The page detects it, and the browser returns with a code', () =>
      awaitRedirect(context, login),
    )
    const tokens = await step('The relying party exchanges the code for tokens', () =>
      relyingParty.redeem(address),
    )
    const expected = expectedClaims(credential)
    await step('The id_token has all claims of the scope', () => {
      const jws = parseJws(tokens.idToken)
      expectEqual('the algorithm of the id_token', jws.ok && jws.header.alg, 'RS256')
      expectIncludes('the claims of the id_token', tokens.idTokenClaims, expected)
    })
    await step('The other members of the response are as documented', () => {
      expectMatch('token_type', tokens.tokenType, /^bearer$/i)
      expectTrue('expires_in is an integer', Number.isInteger(tokens.expiresIn), tokens.expiresIn)
      expectPresent('the refresh_token', tokens.refreshToken)
      const jws = parseJws(tokens.accessToken)
      expectEqual('iss of the access token', jws.ok && jws.payload.iss, idpBaseUrl)
    })
    await step('The userinfo endpoint returns the same', async () => {
      const claims = await relyingParty.readUserInfo(tokens.accessToken, String(expected.sub))
      expectIncludes('the claims of userinfo', claims, expected)
    })
  },
})

const sameDevice = defineScenario({
  id: 'login/same-device',
  title: 'On a phone, the wallet returns its holder to the login once',
  algorithms: ['EdDSA'],
  description: `
Browser and wallet are on the same phone. The page's link opens the wallet, and the verifier's response to
the presentation contains a \`redirect_uri\` to continue at.

- Opened in **another** browser, for example on the phone that scanned a computer's screen, it only says
  that the login continues on the other device.
- In the browser that began the login it leads to the relying party with a code.
- It works **once**: opened again, it does not lead to the relying party.`,
  references: cite(
    'Profile: 1.endpoints/endpoint-a-verifier-exposes-to-the-wallet',
    'OpenID4VP 1.0: 8.2',
    'Assumptions: A-31',
  ),

  async run(context) {
    const { step, environment, httpAs } = context
    const wallet = await createWalletWithCredential(context)
    const { relyingParty, login } = await step('The browser on a phone begins a login', beginLogin)
    const redirectUri = await step('Its link opens the wallet, which presents', async () => {
      const link = login.page.text.match(/id="same-device" href="([^"]+)"/)?.[1]
      expectEqual('the link on the page', link?.replaceAll('&amp;', '&'), login.link)
      const presented = await presentCredential(context, wallet, login.link)
      return expectPresent("redirect_uri in the verifier's response", presented.redirectUri)
    })
    await step('Another browser shows that the login continues on the other device', async () => {
      const stop = [environment.oidcClient.redirectUri]
      const other = createHttpBrowser(stop, {}, httpAs('other-browser').fetch)
      const { status, visited } = await other.get(redirectUri)
      expectEqual('the status of the page', status, 200)
      expectEqual('the visited addresses', visited, [redirectUri])
    })
    const address = await step('The browser that began the login is led back', async () => {
      const { status, url } = await login.browser.get(redirectUri)
      expectTrue('it is at the relying party', status === 0, `${status} ${url}`)
      return new URL(url)
    })
    await step('Opened again, the address does not lead to the relying party', async () => {
      const { status, url } = await login.browser.get(redirectUri)
      expectTrue('the browser stays at the IDP', status !== 0, `${status} ${url}`)
    })
    await step('The relying party gets its tokens', () => relyingParty.redeem(address))
  },
})

const holderDeclines = defineScenario({
  id: 'login/holder-declines',
  title: 'A holder who declines shares no data',
  algorithms: ['EdDSA'],
  description: `
The wallet asks its holder before it presents, and the holder **declines**. The wallet does not post a
response: the session is \`PENDING\`, the page still shows the code, and the holder is not logged in.

Asked again with the same QR code, the holder agrees, and the login succeeds.`,
  references: cite(
    'Profile: 1.resources-and-their-fields/verification-session',
    'OpenID4VP 1.0: 15.1',
  ),

  async run(context) {
    const { step } = context
    const { wallet, relyingParty, login } = await beginLoginWithCredential(context)
    await step('The holder declines, and the wallet stops', async () => {
      const answering = present(wallet, login.link, {
        resolveDidDocument: resolveEnvironmentDid(context, wallet),
        consent: () => false,
      })
      await expectWalletStop('the request', answering, 'declined')
    })
    await step('The session is not affected: the page still shows the code', async () => {
      expectEqual('the session', await readSessionStatus(context, login.sessionCode), 'PENDING')
      const page = await login.reload()
      expectTrue('the page is the same', page.text.includes(login.sessionCode), page.status)
    })
    await step('Asked again, the holder agrees, and the login succeeds', async () => {
      await presentCredential(context, wallet, login.link)
      await completeLogin({ login, relyingParty })
    })
  },
})

const walletWithDidJwk = defineScenario({
  id: 'login/wallet-with-did-jwk',
  title: 'A wallet whose holder has a did:jwk logs in',
  description: `
The holder's DID is a \`did:jwk\`, with a key on either curve. The credential is about this DID, its key
signs the presentation, and the login yields the same claims as any other login.`,
  references: cite(
    'Profile: 1.resources-and-their-fields/supported-curves',
    'Profile: 1.resources-and-their-fields/presentation-token',
  ),

  async run(context) {
    const { step } = context
    const wallet = context.createWallet({ didMethod: 'jwk' })
    const credential = await step('A wallet with a did:jwk holds a credential', async () => {
      expectMatch('the DID', wallet.account.did, /^did:jwk:/)
      return collectCredential(context, wallet)
    })
    const tokens = await step('It logs its holder in', () => logIn(context, wallet))
    await step('The id_token has the claims of the credential', () => {
      expectIncludes('the id_token', tokens.idTokenClaims, expectedClaims(credential))
    })
  },
})

export const scenarios = [openidVpLear, sameDevice, holderDeclines, walletWithDidJwk]
