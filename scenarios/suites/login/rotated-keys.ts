import { parseJws } from '#core/crypto/jws.ts'
import { collectCredential } from '#scenarios/fixtures/accept-offer.ts'
import { openAdminPanel } from '#scenarios/fixtures/admin-panel.ts'
import { beginLogin, logIn } from '#scenarios/fixtures/log-in.ts'
import { presentCredential } from '#scenarios/fixtures/presentations.ts'
import { defineScenario } from '#scenarios/harness/define-scenario.ts'
import {
  expectEqual,
  expectJson,
  expectPresent,
  expectTrue,
} from '#scenarios/harness/expectations.ts'

const kidOf = (jwt: string) => {
  const jws = parseJws(jwt)
  return jws.ok ? jws.header.kid : undefined
}

export const scenario = defineScenario({
  id: 'login/rotated-keys',
  title: 'The IDP changes its signing key in the middle of a login, and nobody notices',
  category: 'Login',
  algorithms: ['ES256K'],
  exclusive: true,
  description: `
One login is over, another is under way, when an administrator makes a **new signing key**.

- The one under way ends with tokens of the new key, which a relying party finds in the key set.
- The old key **stays in the key set**, so that tokens which it signed verify until they expire: the
  access token of the first login goes on opening the userinfo endpoint.`,
  references: [
    { document: 'Document 1', section: 'Endpoints, Credential IDP, GET /accounts/jwks' },
    { document: 'OpenID Connect Core 1.0', section: '10.1.1' },
  ],

  async run(context) {
    const { step, environment, httpAs } = context
    const wallet = context.createWallet()
    await step('A wallet holds a credential', () => collectCredential(context, wallet))
    const before = await step('A login is over', () => logIn(context, wallet))
    const { relyingParty, login } = await step('Another one is under way', () =>
      beginLogin(context),
    )
    await step('An administrator makes a new signing key', async () => {
      const panel = await openAdminPanel(context)
      const page = await panel.open('/keys')
      const kid = page.text.match(/name="kid" value="([^"]+)"/)?.[1]
      await panel.submit(page, '/keys/rotate', { kid: expectPresent('the current kid', kid) })
    })
    const after = await step('The login ends with tokens of the new key', async () => {
      await presentCredential(context, wallet, login.link)
      await login.awaitEnd('SUCCESS')
      const tokens = await relyingParty.redeem(await login.followRedirect())
      expectTrue('the key is another one', kidOf(tokens.idToken) !== kidOf(before.idToken))
      return tokens
    })
    await step('The key set has both', async () => {
      const answer = await httpAs('relying-party').request(
        `${environment.idpBaseUrl}/accounts/jwks`,
      )
      const { keys } = expectJson(answer, 200) as { keys: { kid: string }[] }
      const kids = keys.map(({ kid }) => kid)
      for (const token of [before.idToken, after.idToken]) {
        expectTrue('its key is in the set', kids.includes(String(kidOf(token))), kids)
      }
    })
    await step('Tokens of the old key work on', async () => {
      const { sub } = before.idTokenClaims
      const claims = await relyingParty.readUserInfo(before.accessToken, String(sub))
      expectEqual('sub', claims.sub, sub)
    })
  },
})
