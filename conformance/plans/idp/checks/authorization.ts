import { findLink } from '#core/link/find-link.ts'
import { expectEqual, expectTrue } from '#scenarios/harness/expectations.ts'
import type { HttpRequest } from '#scenarios/harness/http-client.ts'
import { broken, defineChecks, held, inconclusive, wronglyAccepted } from '../../../kit/check.ts'
import {
  asPremise,
  classifyStatus,
  jsonAsPremise,
  outageOf,
  requireFinding,
} from '../../../kit/classify-answer.ts'
import { findEach } from '../../../kit/find-each.ts'
import { readPageCodes } from '../../../kit/read-pages.ts'
import type { AuthorizationParameters, IdpContext } from '../context.ts'
import { verifyIdToken } from '../read-tokens.ts'
import { codeAt, hasRightIssuer } from '../sessions.ts'

const unusual = ' a state/with=signs&more+%2B '

/** All characters that RFC 6749 allows in state, several times. */
const long = String.fromCharCode(...Array.from({ length: 1000 }, (_, index) => 0x7e - (index % 95)))

/** The authorization endpoint and its page. */
export const checks = defineChecks<IdpContext>({
  'O02-code-flow': {
    title: 'A login with a valid credential ends with a code and tokens',
    level: 'spec',
    expectation: 'accept',
    rows: ['1.endpoints/credential-idp.4', '1.endpoints/credential-idp.20'],
    clauses: ['OpenID Connect Core 1.0, 3.1'],
    description:
      'This is the purpose of an IDP. All other checks make sure that no login succeeds that must not.',
    sends:
      'A complete login: authorization request, presentation of a valid credential, code, tokens.',
    decides:
      'The token response has access_token (a JWT), id_token (a JWT), refresh_token, token_type Bearer and expires_in in whole seconds. A session that stays PENDING for longer than the patience of the target is a warning.',
    fix: 'After the verdict, redirect to redirect_uri with code. Respond to the token request with 200: access_token and id_token as JWTs, refresh_token, token_type Bearer and expires_in as an integer.',
    needs: ['wallet-login'],
    async run({ logInForTokens }) {
      const { tokens } = await logInForTokens()
      const isJwt = (value: unknown) => typeof value === 'string' && value.split('.').length === 3
      expectTrue('access_token is a JWT', isJwt(tokens.access_token))
      expectTrue('id_token is a JWT', isJwt(tokens.id_token))
      expectTrue('there is a refresh_token', typeof tokens.refresh_token === 'string')
      expectEqual('token_type', tokens.token_type, 'Bearer')
      expectTrue('expires_in is a whole number', Number.isInteger(tokens.expires_in))
      return held('The login ended with all tokens.')
    },
  },
  'O14-state': {
    title: 'state and nonce are returned unchanged',
    level: 'spec',
    expectation: 'accept',
    control: 'login',
    rows: ['1.endpoints/credential-idp.17', '1.endpoints/credential-idp.18'],
    clauses: ['RFC 6749, 4.1.2', 'RFC 9207, 2'],
    description:
      'With them a relying party recognizes the login that it started. Some put an address or a signed token into state.',
    sends: `Logins with unusual characters in state and spaces around it, without state and nonce, and with both of ${long.length} characters.`,
    decides:
      'Each login succeeds. The callback address contains the same state, and the id_token the same nonce. Rejecting the long values, returning a value although none was sent, and an iss that is wrong or missing although the discovery document advertises it, are warnings.',
    fix: 'Store state and nonce with the authorization request in columns that do not limit their length. Add state to the redirect URL-encoded and otherwise unchanged, and iss with the issuer if you advertise it.',
    needs: ['wallet-login'],
    async run(context) {
      const { callback, state } = await context.logIn({ parameters: { state: unusual } })
      expectEqual('state', callback.searchParams.get('state'), state)
      const hasIssuer = await hasRightIssuer(context, callback.searchParams)
      const without = await context.logInForTokens({
        parameters: { state: undefined, nonce: undefined },
      })
      const { nonce } = (await verifyIdToken(context, without.tokens)).claims
      const added = { state: without.callback.searchParams.get('state') ?? undefined, nonce }
      if (added.state !== undefined || nonce !== undefined) {
        const reason = 'The IDP added a state or nonce to a login that had none.'
        return broken(reason, { actual: added, level: 'practice' })
      }
      const parameters = { state: long, nonce: long }
      const login = await context.logInForTokens({ parameters }).catch(requireFinding)
      if (!('tokens' in login)) {
        // The profile does not say how long they may be.
        const reason = `A login with ${long.length} characters in state and nonce failed: ${login.reason}`
        const isFailure = login.kind === 'broken' || login.isOutage
        return isFailure ? broken(reason, { level: 'practice' }) : login
      }
      expectEqual('the long state', login.callback.searchParams.get('state'), long)
      const { claims } = await verifyIdToken(context, login.tokens)
      expectEqual('the long nonce', claims.nonce, long)
      return hasIssuer
        ? held('state and nonce were returned unchanged.')
        : broken('The callback with the code does not have the issuer as iss.', {
            actual: callback.searchParams.get('iss'),
            level: 'final',
          })
    },
  },
  'O89-fresh-login': {
    title: 'A request for a fresh login does not lead to a code without a presentation',
    level: 'final',
    expectation: 'refuse',
    control: 'login',
    needs: ['wallet-login'],
    clauses: ['OpenID Connect Core 1.0, 3.1.2.1'],
    description:
      'Relying parties ask for a fresh login before a person signs or pays. If a session of the browser is sufficient, anyone at the desk can do it.',
    sends:
      'A complete login, then authorization requests with prompt=login and with max_age=0 in the same browser.',
    decides: 'Neither returns with a code: each leads to a page or to an error.',
    fix: 'If prompt contains login, or the last presentation is at least max_age seconds old, show the QR code again, or redirect with error=login_required. Do not use the session of the browser.',
    async run({ authorizationUrl, logIn }) {
      const { browser } = await asPremise('a login (see O02)', logIn())
      return findEach([{ prompt: 'login' }, { max_age: '0' }], async (fresh) => {
        const what = `An authorization request with ${new URLSearchParams(fresh)}`
        const url = await authorizationUrl({ parameters: { state: 's', nonce: 'n', ...fresh } })
        const page = await browser.get(url.href)
        const kind = classifyStatus(page.status)
        if (codeAt(page) !== null) {
          return wronglyAccepted(`${what} got a code without a presentation.`)
        }
        return kind === 'accepted' || kind === 'refused'
          ? held(`${what} got no code.`)
          : inconclusive(`${what} was answered with HTTP ${page.status}.`, outageOf(page.status))
      })
    },
  },
  'O31-hostile-input': {
    title: 'No client request causes a 5xx',
    level: 'practice',
    expectation: 'refuse',
    clauses: ['RFC 9110, 15.6'],
    description:
      'A 5xx for a client request shows missing input validation, and each is a way to fill the log.',
    sends:
      'Odd methods, bodies and parameters to every endpoint: broken JSON, NUL bytes, duplicate parameters, very long values. Then correct authorization and token requests with one odd value each.',
    decides: 'No response is a 5xx.',
    fix: 'Validate method, parameters and body at every endpoint, and reject invalid input with a 4xx. Include broken JSON, NUL bytes, duplicate parameters, very long values, and parameters that are not of their type, such as max_age=soon.',
    async run(context) {
      const http = context.httpAs('another-browser')
      // A missing or broken service does not return a 5xx either.
      const keys = http.request(await context.endpoint('jwks_uri'))
      await jsonAsPremise('jwks_uri', keys, 'reading jwks_uri (see O15)')
      const faults: string[] = []
      const overloaded: string[] = []
      const hostile = await createHostileRequests(context)
      const requests = [
        ...hostile.map(({ url, ...request }) => ({
          what: url,
          send: () => http.request(url, request),
        })),
        ...oddParameters.map((parameters) => ({
          what: `the authorization endpoint with ${JSON.stringify(parameters)}`,
          send: async () => {
            const all = { state: 's', nonce: 'n', ...parameters }
            return http.request((await context.authorizationUrl({ parameters: all })).href)
          },
        })),
        ...oddForms.map((form) => ({
          what: `the token endpoint with ${JSON.stringify(form)}`,
          send: () => context.requestTokens(form, context.target.client),
        })),
      ]
      for (const { what, send } of requests) {
        const { status, method } = await send()
        const observed = `${method} ${what.slice(0, 120)} returned ${status}`
        const kind = classifyStatus(status)
        if (kind === 'overloaded' || kind === 'timed-out') overloaded.push(observed)
        // 501 says that the method is not supported, which is not an error.
        else if (kind === 'outage' && status !== 501) faults.push(observed)
      }
      if (faults.length > 0) {
        const met = `${faults.length} of ${requests.length} requests caused a 5xx: ${faults[0]}.`
        return broken(met, { actual: faults })
      }
      return overloaded.length === 0
        ? held(`None of ${requests.length} requests caused a 5xx.`)
        : inconclusive(`${overloaded.length} requests caused an overload: ${overloaded[0]}`)
    },
  },
  'O33-qr-code': {
    title: 'The page shows a QR code that a wallet can read',
    level: 'spec',
    expectation: 'accept',
    rows: ['1.what-the-service-does.2', '1.endpoints/credential-idp.4'],
    description:
      'People log in with the wallet on their phone, which must be able to scan a QR code.',
    sends:
      'A login is started, and the PNG and JPEG images of its page are read as a wallet reads them.',
    decides:
      'One of them is a QR code with a presentation request. If the page draws it in a different way (SVG, a script), the check is inconclusive.',
    fix: 'Show the link of the presentation request as a QR code in a PNG or JPEG image: dark on light, with a margin of four modules.',
    needs: ['wallet-login'],
    async run(context) {
      const { page } = await context.beginLogin()
      const codes = await readPageCodes(context.httpAs('browser'), page)
      if (codes.some((code) => findLink(code, 'request') !== undefined)) {
        return held('The QR code of the page contains a presentation request.')
      }
      return codes.length > 0
        ? broken('The QR code of the page does not contain a presentation request.', {
            actual: codes,
          })
        : inconclusive('The page has no QR code image that the kit can read.')
    },
  },
})

const longest = 'x'.repeat(20_000)

/** Each in an authorization request that is otherwise correct. */
const oddParameters: readonly AuthorizationParameters[] = [
  { max_age: 'soon' },
  { max_age: '-1' },
  { max_age: '9'.repeat(400) },
  { prompt: '\0' },
  { scope: 'openid \0' },
  { state: '\0', nonce: '\0' },
  { login_hint: '\0', acr_values: '\0', ui_locales: '\0' },
  { id_token_hint: 'nothing' },
  { id_token_hint: '..' },
  { id_token_hint: 'e30.e30.e30' },
  { claims: '{' },
  { claims: 'null' },
  { claims: '{"id_token":[],"userinfo":1}' },
  { code_challenge: 'é'.repeat(43), code_challenge_method: 'S256' },
]
const form = 'application/x-www-form-urlencoded'

/** Each from a client with its correct secret. */
const oddForms: readonly Readonly<Record<string, string>>[] = [
  { grant_type: '\0' },
  { grant_type: 'constructor' },
  { grant_type: 'authorization_code', code: '\0', redirect_uri: '\0' },
  { grant_type: 'authorization_code', code: longest, redirect_uri: 'nowhere' },
  { grant_type: 'authorization_code', code: 'c', redirect_uri: '//', code_verifier: 'é' },
  { grant_type: 'refresh_token', refresh_token: '\0' },
  { grant_type: 'refresh_token', refresh_token: '..', scope: '\0' },
]

/** Invalid requests to each public endpoint, which no well-behaved client sends. */
async function createHostileRequests(
  context: IdpContext,
): Promise<readonly (HttpRequest & { readonly url: string })[]> {
  const { baseUrl } = context
  const names = ['authorization_endpoint', 'token_endpoint', 'userinfo_endpoint', 'jwks_uri']
  const urls = await Promise.all(names.map(context.endpoint))
  const addresses = [...urls, `${baseUrl}/idp/api/auth/requests`, `${baseUrl}/health`]
  type Hostile = HttpRequest & { readonly url: string }
  return addresses.flatMap((url): Hostile[] => [
    { url, method: 'DELETE' },
    { url, method: 'POST', headers: { 'content-type': 'application/json' }, body: '{"a":' },
    {
      url,
      method: 'POST',
      headers: { 'content-type': form },
      body: 'a=%E0%A4%A&b=%00&__proto__=1',
    },
    { url, method: 'POST', headers: { 'content-type': form }, body: 'code=1&code=2&client_id=' },
    { url, method: 'POST', headers: { 'content-type': 'text/xml' }, body: '<a/>' },
    { url: `${url}?client_id=a&client_id=b&session[]=1&session=%00` },
    { url: `${url}?session=${longest}` },
    { url: `${url}?state=%FF%FE&scope=%20&redirect_uri=javascript:alert(1)` },
    { url, headers: { authorization: 'Bearer' } },
    { url, headers: { authorization: 'Basic ====', accept: 'image/png' } },
  ])
}
