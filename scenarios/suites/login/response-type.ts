import { authorizationUrlOf } from '#scenarios/fixtures/log-in.ts'
import { defineScenario } from '#scenarios/harness/define-scenario.ts'
import { expectEqual, expectTrue } from '#scenarios/harness/expectations.ts'
import { createHttpBrowser } from '#scenarios/harness/http-browser.ts'

/** Parameters that are not to be answered, with the error that the relying party gets. */
const refused = [
  [{ response_type: 'token' }, 'unsupported_response_type'],
  [{ response_type: 'id_token', nonce: 'n' }, 'unsupported_response_type'],
  [{ response_type: 'code id_token', nonce: 'n' }, 'unsupported_response_type'],
  [{ response_type: undefined }, 'invalid_request'],
  [{ scope: undefined }, 'invalid_request'],
  [{ prompt: 'none' }, 'login_required'],
] as const

export const scenario = defineScenario({
  id: 'login/response-type',
  title: 'No token ever comes by way of the browser',
  category: 'Login',
  algorithms: ['ES256K'],
  description: `
\`response_type\` must be \`code\`. Whoever asks for a token or an id_token in the address, leaves the
response type or the scope out, or wants a login that nobody sees, is sent back with the **error** of
the protocol, the own \`state\`, and neither a code nor a token.`,
  references: [
    { document: 'Document 1', section: 'Endpoints, Credential IDP, GET /accounts/authorize query' },
    { document: 'RFC 6749', section: '4.1.2.1' },
    { document: 'OpenID Connect Core 1.0', section: '3.1.2.6' },
  ],

  async run(context) {
    const { step, environment, httpAs } = context
    const { redirectUri } = environment.oidcClient
    const state = `state-${context.uniqueName}`
    for (const [parameters, error] of refused) {
      const [[name, value]] = Object.entries(parameters) as [[string, string | undefined]]
      await step(`${name} ${value ?? 'left out'} is answered with ${error}`, async () => {
        const browser = createHttpBrowser([redirectUri], {}, httpAs('browser').fetch)
        const page = await browser.get(authorizationUrlOf(context, { ...parameters, state }).href)
        expectTrue('the browser is back', page.url.startsWith(redirectUri), page.url)
        const { search, hash } = new URL(page.url)
        // OAuth 2.0 Multiple Response Types, 5: where a token was asked for, errors stand there too.
        const answer = new URLSearchParams(search || hash.slice(1))
        expectEqual('error', answer.get('error'), error)
        expectEqual('state', answer.get('state'), state)
        const given = ['code', 'access_token', 'id_token'].filter((each) => answer.has(each))
        expectEqual('what else it got', given, [])
      })
    }
  },
})
