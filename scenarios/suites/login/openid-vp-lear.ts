import { parseJws } from '#core/crypto/jws.ts'
import { obtainCredential } from '#scenarios/fixtures/accept-offer.ts'
import { awaitRedirect, openLogin, scanPage } from '#scenarios/fixtures/browser-login.ts'
import { expectedClaims } from '#scenarios/fixtures/held-credentials.ts'
import { presentCredential } from '#scenarios/fixtures/presentations.ts'
import { createRelyingParty } from '#scenarios/fixtures/relying-party.ts'
import { defineScenario } from '#scenarios/harness/define-scenario.ts'
import {
  expectEqual,
  expectIncludes,
  expectMatch,
  expectPresent,
  expectTrue,
} from '#scenarios/harness/expectations.ts'

export const scenario = defineScenario({
  id: 'login/openid-vp-lear',
  title: 'A login in a browser gives all claims of scope openid-vp-lear',
  category: 'Login',
  usesBrowser: true,
  algorithms: ['ES256K'],
  description: `
A relying party (openid-client) sends a real browser to the IDP. The wallet reads the QR from a
**screenshot of the page**, fetches the signed request and presents its credential. The verifier
accepts it, the page notices, and the browser comes back with a code.

The relying party trades the code for tokens and checks the id_token with the IDP's published keys.
All claims of the scope are those of the credential, \`power\` is a *string* with the serialized
list, and the userinfo endpoint agrees.`,
  references: [
    { document: 'Document 1', section: 'Endpoints, Credential IDP' },
    { document: 'Document 1', section: 'IDP id_token claims (scope openid-vp-lear)' },
    { document: 'Document 1', section: 'Presentation authorization_request' },
    { document: 'Assumptions', section: 'A-31, A-42, A-45' },
  ],

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
    const login = await step('It sends a browser there, which is shown a page', () =>
      openLogin(context, relyingParty.authorizationUrl, oidcClient.redirectUri),
    )
    const link = await step('The wallet reads the QR from a screenshot of the page', () =>
      scanPage(context, login.page),
    )
    await step('The wallet verifies the request and presents the credential', () =>
      presentCredential(context, wallet, link),
    )
    const address = await step('The page notices and the browser goes back with a code', () =>
      awaitRedirect(context, login),
    )
    const tokens = await step('The relying party trades the code for tokens', () =>
      relyingParty.redeem(address),
    )
    const expected = expectedClaims(credential)
    await step('The id_token has all claims of the scope', () => {
      const jws = parseJws(tokens.idToken)
      expectEqual('the algorithm of the id_token', jws.ok && jws.header.alg, 'RS256')
      expectIncludes('the claims of the id_token', tokens.idTokenClaims, expected)
    })
    await step('The other members of the answer are as documented', () => {
      expectMatch('token_type', tokens.tokenType, /^bearer$/i)
      expectTrue('expires_in is an integer', Number.isInteger(tokens.expiresIn), tokens.expiresIn)
      expectPresent('the refresh_token', tokens.refreshToken)
      const jws = parseJws(tokens.accessToken)
      expectEqual('iss of the access token', jws.ok && jws.payload.iss, idpBaseUrl)
    })
    await step('The userinfo endpoint says the same', async () => {
      const claims = await relyingParty.readUserInfo(tokens.accessToken, String(expected.sub))
      expectIncludes('the claims of userinfo', claims, expected)
    })
  },
})
