import { createRelyingParty } from '#scenarios/fixtures/relying-party.ts'
import { defineScenario } from '#scenarios/harness/define-scenario.ts'
import {
  expectEqual,
  expectIncludes,
  expectJson,
  expectStatus,
  expectTrue,
} from '#scenarios/harness/expectations.ts'

export const scenario = defineScenario({
  id: 'login/discovery',
  title: 'The discovery document says what document 1 says, and each address in it answers',
  category: 'Login',
  algorithms: ['EdDSA'],
  description: `
A relying party learns everything from the discovery document: the scopes, the one response type, the
one grant, the one algorithm of id_tokens. Each address is there under the IDP's own base address,
whatever the request said about its host, and **answers**: the key set has public RSA keys alone, the
others refuse a request that lacks everything as their standards have it.

There is **no** \`end_session_endpoint\`: every login asks for a credential anew, so there is nothing to
log out of.`,
  references: [
    { document: 'Document 1', section: 'Endpoints, Credential IDP' },
    { document: 'OpenID Connect Discovery 1.0', section: '3' },
  ],

  async run(context) {
    const { step, environment, httpAs } = context
    const { idpBaseUrl, oidcClient } = environment
    const client = httpAs('relying-party')

    const document = await step('The discovery document has the documented members', async () => {
      const answer = await client.request(`${idpBaseUrl}/.well-known/openid-configuration`, {
        headers: { 'x-forwarded-host': 'elsewhere.example', 'x-forwarded-proto': 'https' },
      })
      const found = expectJson(answer, 200)
      expectIncludes('the discovery document', found, {
        issuer: idpBaseUrl,
        authorization_endpoint: `${idpBaseUrl}/accounts/authorize`,
        token_endpoint: `${idpBaseUrl}/accounts/token`,
        userinfo_endpoint: `${idpBaseUrl}/accounts/userinfo`,
        jwks_uri: `${idpBaseUrl}/accounts/jwks`,
        scopes_supported: ['openid', 'profile', 'email', 'openid-vp-lear'],
        response_types_supported: ['code'],
        grant_types_supported: ['authorization_code'],
        id_token_signing_alg_values_supported: ['RS256'],
      })
      expectTrue('there is no end_session_endpoint', !('end_session_endpoint' in found))
      return found
    })
    await step('A client library takes it', () =>
      createRelyingParty(context, {
        caller: 'relying-party',
        issuerUrl: idpBaseUrl,
        client: oidcClient,
        scope: 'openid',
      }),
    )
    await step('The key set has public RSA keys alone', async () => {
      const { keys } = expectJson(await client.request(String(document.jwks_uri)), 200)
      expectTrue('there are keys', Array.isArray(keys) && keys.length > 0, keys)
      for (const key of keys as Record<string, unknown>[]) {
        expectIncludes('a key', key, { kty: 'RSA', alg: 'RS256', use: 'sig' })
        const secret = ['d', 'p', 'q', 'dp', 'dq', 'qi', 'oth', 'k'].filter((name) => name in key)
        expectEqual('private members of a key', secret, [])
      }
    })
    await step('The other endpoints answer a request that lacks everything', async () => {
      expectStatus(await client.request(String(document.authorization_endpoint)), 400)
      const token = await client.request(String(document.token_endpoint), { form: { a: 'b' } })
      expectTrue('the token endpoint refuses', [400, 401].includes(token.status), token.status)
      const userinfo = await client.request(String(document.userinfo_endpoint))
      expectStatus(userinfo, 401)
      const challenge = userinfo.headers.get('www-authenticate') ?? ''
      expectTrue('userinfo asks for a Bearer token', /^Bearer/i.test(challenge), challenge)
    })
  },
})
