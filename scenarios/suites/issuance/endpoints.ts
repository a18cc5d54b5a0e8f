import { findJsonProblem } from '#core/json/read-json.ts'
import { preAuthorizedCodeGrant } from '#core/oid4vci/token.ts'
import { credentialTypeOf, foundOrganization } from '#scenarios/fixtures/organizations.ts'
import { requestOwnOffer } from '#scenarios/fixtures/portal.ts'
import { callWalletEndpoint } from '#scenarios/fixtures/wallet-endpoints.ts'
import { cite, defineScenario } from '#scenarios/harness/define-scenario.ts'
import {
  expectEqual,
  expectIncludes,
  expectJson,
  expectMatch,
  expectStatus,
  expectTrue,
} from '#scenarios/harness/expectations.ts'
import type { HttpRequest } from '#scenarios/harness/http-client.ts'
import { resolveCredentialOffer } from '#wallet-emulator/actions/resolve-credential-offer.ts'

/** Values that real wallets send; each must result in a JSON response. */
const acceptHeaders = [
  'application/json',
  '*/*',
  'text/html,application/xhtml+xml;q=0.9',
  'application/xml',
  'application/json;q=0.1, text/plain',
  '',
  'nonsense',
]

const metadata = defineScenario({
  id: 'issuance/metadata',
  title: "The issuer's metadata is valid JSON for every client",
  algorithms: ['ES256K'],
  description: `
Every wallet starts here, and wallets use different JSON parsers. The metadata does not require
authentication. It is strict JSON (no byte order mark, no duplicate names, UTF-8) with every documented
member, and the issuer returns it for any \`Accept\` header: some real issuers return 406 or 500 for an
unusual one.`,
  references: cite(
    'Profile: 1.resources-and-their-fields/issuer-metadata.1..3',
    'Profile: 1.endpoints/endpoints-an-issuer-exposes-to-the-wallet.1, 1.endpoints/endpoints-an-issuer-exposes-to-the-wallet.3',
    'Profile: 1.resources-and-their-fields/supported-curves.4',
  ),

  async run(context) {
    const { step, environment, httpAs } = context
    const { credentialIssuerUrl } = environment
    const url = `${credentialIssuerUrl}/.well-known/openid-credential-issuer`
    const read = (headers: Readonly<Record<string, string>> = {}) =>
      httpAs('wallet').request(url, { headers })

    const metadata = await step('A client reads the metadata', async () => {
      const answer = await read()
      const problem = findJsonProblem(Buffer.from(answer.bytes))
      expectEqual('the problem that a strict parser finds', problem, undefined)
      return expectJson(answer, 200)
    })
    await step('It names the issuer and its endpoints', () => {
      expectEqual('credential_issuer', metadata.credential_issuer, credentialIssuerUrl)
      expectEqual(
        'credential_endpoint',
        metadata.credential_endpoint,
        `${credentialIssuerUrl}/credential`,
      )
    })
    await step('Each entry of credentials_supported is complete', () => {
      const entries = metadata.credentials_supported as Record<string, unknown>[]
      expectTrue('there is at least one', Array.isArray(entries) && entries.length > 0, entries)
      for (const entry of entries) {
        expectIncludes(`the entry ${entry.id}`, entry, {
          format: 'jwt_vc_json',
          cryptographic_binding_methods_supported: ['did:key', 'did:jwk'],
          cryptographic_suites_supported: ['ES256K', 'EdDSA'],
        })
        expectMatch('its id', entry.id, /./)
        const types = entry.types as unknown[]
        expectTrue('its types have VerifiableCredential', types.includes('VerifiableCredential'))
      }
      const ids = entries.map(({ id }) => id)
      expectEqual('duplicate ids', ids.length - new Set(ids).size, 0)
      expectTrue(
        'the LEAR credential is there',
        ids.includes(credentialTypeOf(environment).vcType),
        ids,
      )
    })
    await step('It is returned for any Accept header', async () => {
      for (const accept of acceptHeaders) {
        expectEqual(`for ${accept}`, expectJson(await read({ accept }), 200), metadata)
      }
      const head = await httpAs('wallet').request(url, { method: 'HEAD' })
      expectMatch('the type of a HEAD', head.contentType, /^application\/json\b/)
      expectEqual('the status of a HEAD', head.status, 200)
    })
    await step('It is read-only', async () => {
      const answer = await httpAs('wallet').request(url, { method: 'POST', json: {} })
      expectTrue('a POST is a 4xx', answer.status >= 400 && answer.status < 500, answer.status)
      expectStatus(await read({ 'if-none-match': '"nothing"' }), 200)
    })
  },
})

const tokenEndpoint = defineScenario({
  id: 'issuance/token-endpoint',
  title:
    'The token endpoint returns a token for a correct request and the right error for a wrong one',
  algorithms: ['EdDSA'],
  description: `
The scenario sends wrong requests first, and each error code says what is wrong: JSON instead of a form,
an unsupported grant, missing or duplicate parameters, an unknown code. **None of them uses up the
code**: the correct request then gets an access token of type Bearer with its lifetime and a
\`c_nonce\`, and the response must not be cached.`,
  references: cite(
    'Profile: 1.endpoints/endpoints-an-issuer-exposes-to-the-wallet.2, 1.endpoints/endpoints-an-issuer-exposes-to-the-wallet.5, 1.endpoints/endpoints-an-issuer-exposes-to-the-wallet.6',
    'Profile: 1.limits.3',
    'RFC 6749: 5.1, 5.2',
    'Assumptions: A-25, A-36',
  ),

  async run(context) {
    const { step, control } = context
    const wallet = context.createWallet()
    const { preAuthorizedCode: code } = await step('The wallet reads an offer', async () => {
      const { offerUri } = await control.createOffer()
      return resolveCredentialOffer(wallet, offerUri)
    })
    const form = { grant_type: preAuthorizedCodeGrant, 'pre-authorized_code': code }
    const formType = { 'content-type': 'application/x-www-form-urlencoded' }
    const twice = `${new URLSearchParams(form)}&pre-authorized_code=other`
    const wrong: readonly (readonly [what: string, request: HttpRequest, error: string])[] = [
      ['the parameters as JSON', { json: form }, 'invalid_request'],
      ['no parameters', { body: '', headers: formType }, 'invalid_request'],
      ['no grant_type', { form: { 'pre-authorized_code': code } }, 'invalid_request'],
      ['no code', { form: { grant_type: preAuthorizedCodeGrant } }, 'invalid_request'],
      ['an empty code', { form: { ...form, 'pre-authorized_code': '' } }, 'invalid_request'],
      ['the code twice', { body: twice, headers: formType }, 'invalid_request'],
      [
        'another grant',
        { form: { ...form, grant_type: 'authorization_code' } },
        'unsupported_grant_type',
      ],
      [
        'an unknown code',
        { form: { ...form, 'pre-authorized_code': `${code.slice(1)}A` } },
        'invalid_grant',
      ],
    ]
    for (const [what, request, error] of wrong) {
      await step(`With ${what}: ${error}`, async () => {
        const body = expectJson(await callWalletEndpoint(context, 'token', request), 400)
        expectEqual('the error', body.error, error)
        expectMatch('a description for the holder', body.error_description, /\w/)
        expectEqual('the token', body.access_token, undefined)
      })
    }
    await step('A correct request: a token', async () => {
      const answer = await callWalletEndpoint(context, 'token', { form })
      const body = expectJson(answer, 200)
      expectMatch('the access token', body.access_token, /^\S{22,}$/)
      expectEqual('token_type', body.token_type, 'Bearer')
      expectMatch('c_nonce', body.c_nonce, /^\S{22,}$/)
      for (const member of ['expires_in', 'c_nonce_expires_in']) {
        const value = body[member]
        expectTrue(`${member} is a number of seconds`, Number.isInteger(value), value)
        expectTrue(`${member} is positive`, Number(value) > 0, value)
      }
      expectMatch('cache-control', answer.headers.get('cache-control'), /no-store/)
    })
    await step('The same request again: the code is used', async () => {
      const body = expectJson(await callWalletEndpoint(context, 'token', { form }), 400)
      expectEqual('the error', body.error, 'invalid_grant')
    })
  },
})

const serviceEndpoints = defineScenario({
  id: 'issuance/service-endpoints',
  title: 'Health, metrics and documentation of the issuer are public',
  algorithms: ['ES256K'],
  description: `
The operator of an issuer uses three addresses that require **no authentication**: \`/health\` with
\`{status: ok}\`, \`/metrics\` in the format of metrics collectors, which has **counted** the previous
request, and \`/swagger\` with the interactive documentation.`,
  references: cite(
    'Profile: 1.what-the-service-does.4, 1.what-the-service-does.5',
    'Profile: 1.endpoints/credential-issuer.1..3',
    'Profile: 1.authentication.5',
  ),

  async run(context) {
    const { step, environment, httpAs } = context
    await step('A representative requests a credential', async () => {
      const { bearerToken, power } = await foundOrganization(context)
      await requestOwnOffer(context, bearerToken, power)
    })
    const get = (path: string) => httpAs('operator').request(`${environment.issuerBaseUrl}${path}`)

    await step('GET /health says ok', async () => {
      expectEqual('the status', expectJson(await get('/health'), 200).status, 'ok')
    })
    await step('GET /metrics returns counters of requests', async () => {
      const { contentType, text } = expectStatus(await get('/metrics'), 200)
      expectMatch('its type', contentType, /^text\/plain\b/)
      expectMatch('a line of it', text, /^# TYPE issuer_\w+ \w+$/m)
      const sample = /^issuer_\w+\{[^}]*"\/issuance\/representative"[^}]*\} [1-9][0-9.e+]*$/m
      expectMatch('a sample about the request', text, sample)
    })
    await step('GET /swagger is a page, and the files that it loads exist', async () => {
      const first = await get('/swagger')
      const location = first.headers.get('location')
      const page =
        first.status >= 300 && first.status < 400 && location !== null
          ? await httpAs('operator').request(new URL(location, first.url).href)
          : first
      expectMatch('its type', expectStatus(page, 200).contentType, /^text\/html\b/)
      const base = page.url.endsWith('/') ? page.url : `${page.url}/`
      const script = page.text.match(/<script[^>]* src="([^"]+)"/)?.[1] ?? ''
      expectStatus(await httpAs('operator').request(new URL(script, base).href), 200)
    })
  },
})

export const scenarios = [metadata, tokenEndpoint, serviceEndpoints]
