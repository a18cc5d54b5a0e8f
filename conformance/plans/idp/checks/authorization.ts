import { createHash, randomBytes } from 'node:crypto'
import { findLink } from '#core/link/find-link.ts'
import { expectEqual, expectTrue } from '#scenarios/harness/expectations.ts'
import { broken, defineChecks, held, inconclusive } from '../../../kit/check.ts'
import {
  classifyStatus,
  findRefusal,
  jsonAsPremise,
  requireJson,
} from '../../../kit/classify-answer.ts'
import { readPageCodes } from '../../../kit/read-pages.ts'
import type { IdpContext } from '../context.ts'
import { createHostileRequests } from '../create-hostile-requests.ts'
import { findNoLogin } from '../find-login-page.ts'

/** The authorization endpoint and its page. */
export const checks = defineChecks<IdpContext>({
  'O02-code-flow': {
    title: 'A login with a valid credential ends with a code and tokens',
    level: 'spec',
    expectation: 'accept',
    rows: ['1.endpoints/credential-idp.4', '1.endpoints/credential-idp.20'],
    clauses: ['OpenID Connect Core 1.0, 3.1'],
    description:
      'The purpose of an IDP: all other checks make sure that it does not happen when it must not.',
    sends:
      'A complete login: authorization request, presentation of a valid credential, code, tokens.',
    decides:
      'The token response has access_token (a JWT), id_token (a JWT), refresh_token, token_type Bearer and expires_in in whole seconds.',
    fix: 'After the verdict, redirect to redirect_uri with code. Answer the token request with 200: access_token and id_token as JWTs, refresh_token, token_type Bearer and expires_in as an integer.',
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
  'O03-redirect-uri-mismatch': {
    title: 'The IDP never redirects to an unregistered redirect_uri',
    level: 'spec',
    expectation: 'refuse',
    control: 'login',
    rows: ['1.endpoints/credential-idp.14'],
    clauses: ['OpenID Connect Core 1.0, 3.1.2.1'],
    description: 'An attacker who redirects a browser to their own address receives the code.',
    sends:
      'Authorization requests with a different host, a longer path, and a host that starts with the registered one.',
    decides: 'No answer is a redirect to that address, and none shows a login.',
    fix: 'Compare redirect_uri with the registered ones as complete strings, not by host or beginning. If none is equal, show an error page, and do not redirect.',
    async run({ authorizationUrl, createBrowser, target }) {
      const { redirectUri } = target.client
      const addresses = [
        'https://attacker.example/callback',
        `${redirectUri}/further`,
        withLongerHost(redirectUri),
      ]
      const pages = []
      for (const redirect_uri of addresses) {
        const url = await authorizationUrl({ parameters: { redirect_uri } })
        pages.push(await createBrowser().get(url.href, redirect_uri))
      }
      return findNoLogin(
        'An authorization request with an unregistered redirect_uri',
        pages,
        addresses,
      )
    },
  },
  'O04-unknown-client': {
    title: 'An unregistered client does not get a login',
    level: 'spec',
    expectation: 'refuse',
    control: 'login',
    rows: ['1.endpoints/credential-idp.13'],
    clauses: ['RFC 6749, 4.1.2.1'],
    description: 'Otherwise any site could ask users to log in.',
    sends: 'An authorization request with an unregistered client_id.',
    decides: 'The answer is an error page: no login, and no redirect.',
    fix: 'Look up client_id before anything else. If it is not registered, show an error page without a login, and do not redirect.',
    async run({ authorizationUrl, createBrowser, target }) {
      const url = await authorizationUrl({ parameters: { client_id: 'nobody-registered-this' } })
      const page = await createBrowser().get(url.href)
      return findNoLogin('An unknown client', [page], [target.client.redirectUri])
    },
  },
  'O05-response-type': {
    title: 'A response_type other than code is rejected',
    level: 'spec',
    expectation: 'refuse',
    control: 'login',
    rows: ['1.endpoints/credential-idp.15'],
    clauses: ['RFC 6749, 4.1.2.1'],
    description:
      'The implicit flow puts tokens into addresses, where histories and logs keep them.',
    sends:
      'Authorization requests with response_type token, id_token, and without a response_type.',
    decides:
      'The browser returns with an error, or shows an error page; there is no login, and no token in the address.',
    fix: 'Accept only response_type code. For any other value, redirect with error=unsupported_response_type; if it is missing, with error=invalid_request.',
    async run({ authorizationUrl, createBrowser }) {
      const pages = []
      for (const response_type of ['token', 'id_token', undefined]) {
        const url = await authorizationUrl({ parameters: { response_type, nonce: 'a-nonce' } })
        pages.push(await createBrowser().get(url.href))
      }
      return findNoLogin('An authorization request with a different response_type', pages)
    },
  },
  'O14-state': {
    title: 'state is returned unchanged',
    level: 'spec',
    expectation: 'accept',
    control: 'login',
    rows: ['1.endpoints/credential-idp.17'],
    clauses: ['RFC 6749, 4.1.2'],
    description: 'With it a relying party recognizes the login that it started.',
    sends: 'A login with unusual characters in state.',
    decides: 'The callback address contains the same state.',
    fix: 'Store state with the authorization request, and add it to the redirect URL-encoded and otherwise unchanged.',
    async run(context) {
      const state = 'a state/with=signs&more+ñ'
      const { callback } = await context.logIn({ parameters: { state } })
      expectEqual('state', callback.searchParams.get('state'), state)
      return held('state was returned unchanged.')
    },
  },
  'O17-pkce': {
    title: 'PKCE with S256 is accepted',
    level: 'practice',
    expectation: 'advice',
    control: 'login',
    clauses: ['RFC 7636, 4.3'],
    description:
      'It binds a code to the browser that requested it, even if the client has a secret.',
    sends: 'A login with code_challenge, redeemed with its code_verifier.',
    decides: 'The token request returns tokens.',
    fix: 'Store code_challenge with the code, and compare it with the SHA-256 of code_verifier in base64url. Do not reject the two parameters.',
    async run({ logIn, requestTokens, codeForm, target }) {
      const code_verifier = randomBytes(32).toString('base64url')
      const code_challenge = createHash('sha256').update(code_verifier).digest('base64url')
      const parameters = { code_challenge, code_challenge_method: 'S256' }
      const form = { ...codeForm(await logIn({ parameters })), code_verifier }
      requireJson(
        await requestTokens(form, target.client),
        'The token request with a code_verifier',
      )
      return held('The code was redeemed with its code_verifier.')
    },
  },
  'O18-pkce-enforced': {
    title: 'A code of a login with PKCE cannot be redeemed without its code_verifier',
    level: 'practice',
    expectation: 'refuse',
    control: 'login',
    clauses: ['RFC 7636, 4.6'],
    description:
      'An IDP that accepts a challenge without checking it is worse than an IDP without PKCE: clients rely on it.',
    sends:
      'A login with code_challenge, redeemed with a wrong code_verifier, then a login redeemed without one.',
    decides: 'Both answers are 400 invalid_grant.',
    fix: 'If the code has a code_challenge, require code_verifier in the token request. If it is missing or its SHA-256 differs, answer 400 invalid_grant.',
    async run({ logIn, requestTokens, codeForm, target }) {
      const code_challenge = createHash('sha256').update('a'.repeat(43)).digest('base64url')
      const parameters = { code_challenge, code_challenge_method: 'S256' }
      const refusal = { statuses: [400], errors: ['invalid_grant', 'invalid_request'] }
      const redeem = async (code_verifier: string) =>
        requestTokens({ ...codeForm(await logIn({ parameters })), code_verifier }, target.client)
      const correct = redeem('a'.repeat(43))
      await jsonAsPremise(
        'The token request',
        correct,
        'a login with the right code_verifier (see O17)',
      )
      const wrong = await redeem('b'.repeat(43))
      const finding = findRefusal(wrong, { what: 'A wrong code_verifier', ...refusal })
      if (finding.kind !== 'held') return finding
      const without = await requestTokens(codeForm(await logIn({ parameters })), target.client)
      return findRefusal(without, { what: 'A missing code_verifier', ...refusal })
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
      'Odd methods, bodies and parameters to every endpoint: broken JSON, NUL bytes, duplicate parameters, very long values.',
    decides: 'No answer is a 5xx.',
    fix: 'Validate method, parameters and body at every endpoint, and answer mistakes with a 4xx. Include broken JSON, NUL bytes, duplicate parameters and very long values.',
    async run(context) {
      const http = context.httpAs('another-browser')
      // A missing or broken service does not return a 5xx either.
      const keys = http.request(await context.endpoint('jwks_uri'))
      await jsonAsPremise('jwks_uri', keys, 'reading jwks_uri (see O15)')
      const faults: string[] = []
      const overloaded: string[] = []
      const requests = await createHostileRequests(context)
      for (const { url, ...request } of requests) {
        const { status, method } = await http.request(url, request)
        const observed = `${method} ${url.slice(0, 120)} returned ${status}`
        const kind = classifyStatus(status)
        if (kind === 'overloaded' || kind === 'timed-out') overloaded.push(observed)
        // 501 says that the method is not supported, which is not an error.
        else if (kind === 'outage' && status !== 501) faults.push(observed)
      }
      if (faults.length > 0) {
        const met = `${faults.length} of ${requests.length} requests caused a 5xx.`
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

/** The registered host as the beginning of a longer host. */
function withLongerHost(address: string): string {
  const url = new URL(address)
  url.hostname = `${url.hostname}.attacker.example`
  return url.href
}
