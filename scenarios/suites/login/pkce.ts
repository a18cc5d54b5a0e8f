import { createHash } from 'node:crypto'
import { collectCredential } from '#scenarios/fixtures/accept-offer.ts'
import { authorizationUrlOf, obtainCode } from '#scenarios/fixtures/log-in.ts'
import { requestTokens } from '#scenarios/fixtures/relying-party.ts'
import { defineScenario } from '#scenarios/harness/define-scenario.ts'
import {
  expectEqual,
  expectIncludes,
  expectJson,
  expectPresent,
} from '#scenarios/harness/expectations.ts'
import { createHttpBrowser } from '#scenarios/harness/http-browser.ts'

export const scenario = defineScenario({
  id: 'login/pkce',
  title: 'A code that was asked for with PKCE is worth nothing without the verifier',
  category: 'Login',
  algorithms: ['EdDSA'],
  description: `
Whoever steals a code on its way through the browser can't use it: the token endpoint wants the
\`code_verifier\` behind the challenge. **Another one**, and **none**, are \`invalid_grant\`; the right
one gives the tokens.

The method \`plain\`, which would show the verifier to the thief, is refused at once.`,
  references: [
    { document: 'RFC 7636', section: '4.6' },
    { document: 'RFC 9700', section: '2.1.1' },
  ],

  async run(context) {
    const { step, environment, httpAs, uniqueName } = context
    const wallet = context.createWallet()
    const verifierOf = (name: string) =>
      createHash('sha256').update(`${name} ${uniqueName}`).digest('base64url')
    const codeVerifier = verifierOf('verifier')
    const challenge = createHash('sha256').update(codeVerifier).digest('base64url')
    const pkce = { code_challenge: challenge, code_challenge_method: 'S256' }
    await step('A wallet holds a credential', () => collectCredential(context, wallet))

    await step('With another verifier the code gives nothing', async () => {
      const form = await obtainCode(context, wallet, pkce)
      const answer = await requestTokens(context, { ...form, code_verifier: verifierOf('thief') })
      expectIncludes('the answer', expectJson(answer, 400), { error: 'invalid_grant' })
    })
    await step('Without a verifier it gives nothing', async () => {
      const answer = await requestTokens(context, await obtainCode(context, wallet, pkce))
      expectIncludes('the answer', expectJson(answer, 400), { error: 'invalid_grant' })
    })
    await step('With the right one it gives the tokens', async () => {
      const form = await obtainCode(context, wallet, pkce)
      const answer = await requestTokens(context, { ...form, code_verifier: codeVerifier })
      expectPresent('the id_token', expectJson(answer, 200).id_token)
    })
    await step('The method plain is refused', async () => {
      const plain = { code_challenge: codeVerifier, code_challenge_method: 'plain' }
      const { redirectUri } = environment.oidcClient
      const browser = createHttpBrowser([redirectUri], {}, httpAs('browser').fetch)
      const { status, url } = await browser.get(authorizationUrlOf(context, plain).href)
      expectEqual('the status at the relying party', status, 0)
      expectEqual('error', new URL(url).searchParams.get('error'), 'invalid_request')
    })
  },
})
