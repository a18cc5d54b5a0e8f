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
    title: 'A login with a good credential ends with a code and tokens',
    level: 'spec',
    expectation: 'accept',
    rows: ['1.endpoints/credential-idp.4', '1.endpoints/credential-idp.20'],
    clauses: ['OpenID Connect Core 1.0, 3.1'],
    description:
      'The one thing that an IDP is there for: everything else is about keeping it from happening when it must not.',
    sends: 'A whole login: authorization request, presentation of a good credential, code, tokens.',
    decides:
      'The token response has access_token (a JWT), id_token (a JWT), refresh_token, token_type Bearer and expires_in in whole seconds.',
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
    title: 'A redirect_uri that is not registered is never redirected to',
    level: 'spec',
    expectation: 'refuse',
    control: 'login',
    rows: ['1.endpoints/credential-idp.14'],
    clauses: ['OpenID Connect Core 1.0, 3.1.2.1'],
    description: 'Whoever gets a browser sent to an address of their own gets the code with it.',
    sends:
      'Authorization requests with another host, a longer path, and a host that the registered one begins.',
    decides: 'No answer is a redirect to that address, and none shows a login.',
    async run({ authorizationUrl, createBrowser, target }) {
      const { redirectUri } = target.client
      const others = [
        'https://attacker.example/callback',
        `${redirectUri}/further`,
        withLongerHost(redirectUri),
      ]
      const pages = []
      for (const redirect_uri of others) {
        const url = await authorizationUrl({ parameters: { redirect_uri } })
        pages.push(await createBrowser().get(url.href, redirect_uri))
      }
      return findNoLogin('An authorization request with a foreign redirect_uri', pages, others)
    },
  },
  'O04-unknown-client': {
    title: 'A client that is not registered gets no login',
    level: 'spec',
    expectation: 'refuse',
    control: 'login',
    rows: ['1.endpoints/credential-idp.13'],
    clauses: ['RFC 6749, 4.1.2.1'],
    description:
      'A login shown for nobody in particular is a login that anybody can ask people for.',
    sends: 'An authorization request with a client_id that nobody registered.',
    decides: 'The answer is an error page: no login, and no redirect.',
    async run({ authorizationUrl, createBrowser, target }) {
      const url = await authorizationUrl({ parameters: { client_id: 'nobody-registered-this' } })
      const page = await createBrowser().get(url.href)
      return findNoLogin('An unknown client', [page], [target.client.redirectUri])
    },
  },
  'O05-response-type': {
    title: 'A response_type other than code is refused',
    level: 'spec',
    expectation: 'refuse',
    control: 'login',
    rows: ['1.endpoints/credential-idp.15'],
    clauses: ['RFC 6749, 4.1.2.1'],
    description:
      'The implicit flow puts tokens into addresses, where histories and logs keep them.',
    sends: 'Authorization requests with response_type token, id_token, and none at all.',
    decides:
      'The browser comes back with an error, or an error page is shown; no login, no token in the address.',
    async run({ authorizationUrl, createBrowser }) {
      const pages = []
      for (const response_type of ['token', 'id_token', undefined]) {
        const url = await authorizationUrl({ parameters: { response_type, nonce: 'a-nonce' } })
        pages.push(await createBrowser().get(url.href))
      }
      return findNoLogin('An authorization request with another response_type', pages)
    },
  },
  'O14-state': {
    title: 'state comes back as it was sent',
    level: 'spec',
    expectation: 'accept',
    control: 'login',
    rows: ['1.endpoints/credential-idp.17'],
    clauses: ['RFC 6749, 4.1.2'],
    description:
      'It is how a relying party knows that the login that comes back is the one that it began.',
    sends: 'A login with a state of unusual characters.',
    decides: 'The address that the browser comes back to has the same state.',
    async run(context) {
      const state = 'a state/with=signs&more+ñ'
      const { callback } = await context.logIn({ parameters: { state } })
      expectEqual('state', callback.searchParams.get('state'), state)
      return held('state came back unchanged.')
    },
  },
  'O17-pkce': {
    title: 'PKCE with S256 is accepted',
    level: 'practice',
    expectation: 'advice',
    control: 'login',
    clauses: ['RFC 7636, 4.3'],
    description:
      'It binds a code to the browser that asked for it, also where the client has a secret.',
    sends: 'A login with code_challenge, redeemed with its code_verifier.',
    decides: 'The token request is answered with tokens.',
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
    title: 'A code of a login with PKCE is not redeemed without its code_verifier',
    level: 'practice',
    expectation: 'refuse',
    control: 'login',
    clauses: ['RFC 7636, 4.6'],
    description:
      'An IDP that takes a challenge and never checks it is worse than one that refuses it: clients rely on it.',
    sends: 'A login with code_challenge, redeemed with another code_verifier, then one with none.',
    decides: 'Both answers are 400 invalid_grant.',
    async run({ logIn, requestTokens, codeForm, target }) {
      const code_challenge = createHash('sha256').update('a'.repeat(43)).digest('base64url')
      const parameters = { code_challenge, code_challenge_method: 'S256' }
      const refusal = { statuses: [400], errors: ['invalid_grant', 'invalid_request'] }
      const redeem = async (code_verifier: string) =>
        requestTokens({ ...codeForm(await logIn({ parameters })), code_verifier }, target.client)
      const good = redeem('a'.repeat(43))
      await jsonAsPremise(
        'The token request',
        good,
        'a login with the right code_verifier (see O17)',
      )
      const wrong = await redeem('b'.repeat(43))
      const finding = findRefusal(wrong, { what: 'Another code_verifier', ...refusal })
      if (finding.kind !== 'held') return finding
      const without = await requestTokens(codeForm(await logIn({ parameters })), target.client)
      return findRefusal(without, { what: 'A missing code_verifier', ...refusal })
    },
  },
  'O31-hostile-input': {
    title: 'Nothing that a client can send gets a 5xx',
    level: 'practice',
    expectation: 'refuse',
    clauses: ['RFC 9110, 15.6'],
    description:
      'A 5xx for what a client sent is a place where the server did not look at what it got, and each is a way to fill its log.',
    sends:
      'Odd methods, bodies and parameters to every endpoint: broken JSON, NUL bytes, doubled parameters, very long values.',
    decides: 'No answer is a 5xx.',
    async run(context) {
      const http = context.httpAs('stranger')
      // What is not there, or out of order, has no faults to be found either.
      const keys = http.request(await context.endpoint('jwks_uri'))
      await jsonAsPremise('jwks_uri', keys, 'reading jwks_uri (see O15)')
      const faults: string[] = []
      const overloaded: string[] = []
      const requests = await createHostileRequests(context)
      for (const { url, ...request } of requests) {
        const { status, method } = await http.request(url, request)
        const told = `${method} ${url.slice(0, 120)} answered ${status}`
        const kind = classifyStatus(status)
        if (kind === 'overloaded' || kind === 'timed-out') overloaded.push(told)
        // 501 says that there is no such method, which is no fault.
        else if (kind === 'outage' && status !== 501) faults.push(told)
      }
      if (faults.length > 0) {
        const met = `${faults.length} of ${requests.length} requests met a 5xx.`
        return broken(met, { actual: faults })
      }
      return overloaded.length === 0
        ? held(`None of ${requests.length} requests was answered with a 5xx.`)
        : inconclusive(`${overloaded.length} requests met an overload: ${overloaded[0]}`)
    },
  },
  'O33-qr-code': {
    title: 'The page shows a QR code that a wallet can read',
    level: 'spec',
    expectation: 'accept',
    rows: ['1.what-the-service-does.2', '1.endpoints/credential-idp.4'],
    description:
      "People log in with the wallet on their phone: what is not on the screen as a QR code can't be scanned.",
    sends:
      'A login is begun, and the PNG and JPEG images of its page are read as a wallet reads them.',
    decides:
      'One of them is a QR code with a presentation request. A page that draws it otherwise (SVG, a script) decides nothing.',
    async run(context) {
      const { page } = await context.beginLogin()
      const codes = await readPageCodes(context.httpAs('browser'), page)
      if (codes.some((code) => findLink(code, 'request') !== undefined)) {
        return held('The QR code of the page holds a presentation request.')
      }
      return codes.length > 0
        ? broken('The QR code of the page is not that of a presentation request.', {
            actual: codes,
          })
        : inconclusive('The page has no QR code as an image that the kit can read.')
    },
  },
})

/** The registered host, as the beginning of another one. */
function withLongerHost(address: string): string {
  const url = new URL(address)
  url.hostname = `${url.hostname}.attacker.example`
  return url.href
}
