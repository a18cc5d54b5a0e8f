import { expectEqual, expectTrue } from '#scenarios/harness/expectations.ts'
import {
  broken,
  type CheckLevel,
  defineChecks,
  type Finding,
  held,
  inconclusive,
} from '../../../kit/check.ts'
import { findEach } from '../../../kit/find-each.ts'
import { nearMisses, nearMissesOf, spaceAtEnd } from '../../../kit/near-misses.ts'
import { hasPasswordField } from '../../../kit/read-pages.ts'
import type { AuthorizationParameters, IdpContext } from '../context.ts'
import { findNoLogin, findNoLogins, probe } from '../find-login-page.ts'
import { createPkce } from '../redeem-codes.ts'
import { hasRightIssuer } from '../sessions.ts'

/** Authorization requests that an IDP must not answer with a login. They need no wallet. */
export const checks = defineChecks<IdpContext>({
  'O03-redirect-uri-mismatch': {
    title: 'The IDP never redirects to an unregistered redirect_uri',
    level: 'spec',
    expectation: 'refuse',
    control: 'authorization',
    rows: ['1.endpoints/credential-idp.14'],
    clauses: ['OpenID Connect Core 1.0, 3.1.2.1'],
    description: 'An attacker who redirects a browser to their own address receives the code.',
    sends:
      'Authorization requests with redirect URIs that resemble the registered one: a different host, scheme, port, path or case, user information, an added query or fragment, encoded characters, a longer and a shorter path, a space at the end, and that of another client. Then requests with an unregistered one and a second mistake.',
    decides:
      'No response is a redirect to such an address, and none shows a login. A different port of a loopback address, an encoded letter, and a space at the end are warnings.',
    fix: 'Compare redirect_uri with the registered ones before all other parameters, as complete strings, not by host or beginning. If none is equal, show an error page, and do not redirect, not even with an error.',
    async run(context) {
      const { client, secondClient } = context.target
      const { redirectUri } = client
      const others = secondClient
        ? [{ what: 'is that of another client', redirect_uri: secondClient.redirectUri }]
        : []
      const cases = [...similarAddresses(redirectUri), ...others]
        .filter(({ redirect_uri }) => redirect_uri !== redirectUri)
        .map(({ what, redirect_uri, ...each }) => ({
          ...each,
          what: `An authorization request whose redirect_uri ${what}`,
          parameters: { redirect_uri },
        }))
      const all = [...cases, ...withSecondMistake]
      const finding = await findNoLogins(context, all, [redirectUri])
      return finding.kind === 'held' ? findLogout(context, finding) : finding
    },
  },
  'O04-unknown-client': {
    title: 'An unregistered client does not get a login',
    level: 'spec',
    expectation: 'refuse',
    control: 'authorization',
    rows: ['1.endpoints/credential-idp.13'],
    clauses: ['RFC 6749, 4.1.2.1'],
    description: 'Otherwise any site could ask users to log in.',
    sends:
      'Authorization requests with an unregistered client_id, with near misses of the registered one, with a space at its end, with an empty one, and without one.',
    decides:
      'Each response is an error page: no login, and no redirect. Accepting the space is a warning.',
    fix: 'Look up client_id before anything else, as a complete string. If it is not registered, show an error page without a login, and do not redirect.',
    async run(context) {
      const { client, secondClient } = context.target
      const cases = [
        { what: 'An unknown client', client_id: 'nobody-registered-this' },
        ...nearMissesOf(client.clientId).map(({ what, change }) => ({
          what: `A client whose client_id ${what}`,
          client_id: change(client.clientId),
        })),
        {
          what: `A client whose client_id ${spaceAtEnd.what}`,
          client_id: spaceAtEnd.change(client.clientId),
          level: 'practice' as const,
        },
        { what: 'An empty client_id', client_id: '' },
        { what: 'A request without a client_id', client_id: undefined },
      ]
      const known = [client.clientId, secondClient?.clientId]
      const requests = cases
        .filter(({ client_id }) => client_id === undefined || !known.includes(client_id))
        .map(({ client_id, ...each }) => ({ ...each, parameters: { client_id } }))
      return findNoLogins(context, requests, [])
    },
  },
  'O05-response-type': {
    title: 'A response_type other than code is rejected',
    level: 'spec',
    expectation: 'refuse',
    control: 'authorization',
    rows: ['1.endpoints/credential-idp.15'],
    clauses: ['RFC 6749, 4.1.2.1'],
    description:
      'The implicit flow puts tokens into addresses, where histories and logs keep them.',
    sends:
      'Authorization requests with the response types token, id_token, none and combinations of them, with near misses of code, and without a response_type.',
    decides:
      'The browser returns with an error, or shows an error page; there is no login, and no token in the address. A response_type that the discovery document advertises is not sent.',
    fix: 'Accept only response_type code. For any other value, redirect with error=unsupported_response_type; if it is missing, with error=invalid_request.',
    async run(context) {
      const { response_types_supported: announced } = await context.discover()
      const types = [
        'token',
        'id_token',
        'code token',
        'code id_token',
        'none',
        'Code',
        'codes',
        '',
      ]
      const cases = [...types.filter((type) => ![announced].flat().includes(type)), undefined]
      return findNoLogins(
        context,
        cases.map((response_type) => ({
          what:
            response_type === undefined
              ? 'An authorization request without a response_type'
              : `An authorization request with the response_type "${response_type}"`,
          parameters: { response_type, nonce: 'a-nonce' },
        })),
        [context.target.client.redirectUri],
      )
    },
  },
  'O35-required-parameters': {
    title: 'An authorization request without a required parameter is rejected',
    level: 'final',
    expectation: 'refuse',
    control: 'authorization',
    rows: ['1.endpoints/credential-idp.14', '1.endpoints/credential-idp.16'],
    clauses: ['OpenID Connect Core 1.0, 3.1.2.2'],
    description:
      'An IDP that guesses what is missing sends codes to an address, or for scopes, that the client did not ask for.',
    sends: 'Authorization requests without redirect_uri and without scope, and with empty ones.',
    decides:
      'Each leads to an error page, or to an error at the registered redirect_uri. No login is shown. Accepting a request without scope is a warning, because OAuth 2.0 allows a default.',
    fix: 'Require redirect_uri and scope in every authorization request. Without redirect_uri show an error page; without scope redirect with error=invalid_request or invalid_scope.',
    async run(context) {
      const cases = [
        { what: 'without a redirect_uri', parameters: { redirect_uri: undefined } },
        { what: 'with an empty redirect_uri', parameters: { redirect_uri: '' } },
        { what: 'without a scope', parameters: { scope: undefined }, level: 'practice' },
        { what: 'with an empty scope', parameters: { scope: '' }, level: 'practice' },
      ] as const
      const requests = cases.map((each) => ({
        ...each,
        what: `An authorization request ${each.what}`,
      }))
      return findNoLogins(context, requests, [context.target.client.redirectUri])
    },
  },
  'O36-duplicate-parameters': {
    title: 'A parameter that occurs twice is rejected',
    level: 'final',
    expectation: 'refuse',
    control: 'authorization',
    clauses: ['RFC 6749, 3.1'],
    description:
      'A proxy that checks the first value and an IDP that uses the second one disagree about the request.',
    sends:
      'Authorization requests with two values of client_id, redirect_uri, response_type, scope, state, nonce, prompt and max_age, and of code_challenge and code_challenge_method if the discovery document advertises S256.',
    decides:
      'Each leads to an error page, or to an error at the registered redirect_uri. No login is shown.',
    fix: 'Count the values of each parameter before you read it. If one occurs twice, respond with invalid_request, as an error page if it is client_id or redirect_uri.',
    async run(context) {
      const { client } = context.target
      const { code_challenge_methods_supported: methods } = await context.discover()
      const challenge = [methods].flat().includes('S256') ? createPkce().challenge : undefined
      const names = ['client_id', 'redirect_uri', 'response_type', 'scope']
      const usual: AuthorizationParameters = { state: 'first', nonce: 'first', ...challenge }
      // An IDP that rejects one of these must not pass with every other request.
      const more: AuthorizationParameters = { prompt: 'login', max_age: '600' }
      const all = [...names, ...Object.keys(usual), ...Object.keys(more)]
      return findEach(all, async (name) => {
        const added = name in more ? { [name]: more[name] } : {}
        const url = await context.authorizationUrl({ parameters: { ...usual, ...added } })
        url.searchParams.append(name, url.searchParams.get(name) ?? '')
        const page = await context.createBrowser().get(url.href)
        const what = `An authorization request with two values of ${name}`
        return findNoLogin(context, what, page, [client.redirectUri])
      })
    },
  },
  'O37-prompt-none': {
    title: 'prompt=none returns to the relying party without a page',
    level: 'final',
    expectation: 'refuse',
    control: 'authorization',
    clauses: ['OpenID Connect Core 1.0, 3.1.2.1', 'OpenID Connect Core 1.0, 3.1.2.6'],
    description:
      'Relying parties use it in a hidden frame to detect a session. A page in this frame is invisible, and the relying party waits forever.',
    sends:
      'Authorization requests with prompt=none, and with none together with another value, in a browser without a session.',
    decides:
      'Each time the browser returns to redirect_uri with an error and the same state. An error for none other than login_required, interaction_required, consent_required or account_selection_required is a warning.',
    fix: 'For prompt=none in a browser without a session, redirect to redirect_uri with error=login_required and state. Do not show a page.',
    run: (context) =>
      findEach(['none', 'none login', 'consent none'], (prompt) => {
        const parameters = { prompt, nonce: 'a-nonce' }
        const errors = prompt === 'none' ? errorsWithoutPage : undefined
        return findErrorRedirect(context, `prompt=${prompt}`, parameters, errors)
      }),
  },
  'O38-error-redirect': {
    title: 'Errors return to the relying party with state and issuer',
    level: 'final',
    expectation: 'refuse',
    control: 'authorization',
    clauses: ['RFC 6749, 4.1.2.1', 'RFC 9207, 2'],
    description:
      'A relying party that cannot assign an error to a login shows the wrong message, or lets an attacker end logins.',
    sends:
      'An authorization request with the response_type token, and a state with special characters, also with spaces at both ends.',
    decides:
      'The browser returns to redirect_uri with an error, the same state, and iss if the discovery document advertises it. An error page is inconclusive.',
    fix: 'Redirect errors of requests with a valid client_id and redirect_uri to redirect_uri, with error, the unchanged state, and iss if you advertise it.',
    run: (context) =>
      findErrorRedirect(context, 'The response_type token', {
        response_type: 'token',
        nonce: 'a-nonce',
      }),
  },
  'O84-escaped-parameters': {
    title: 'Pages show the parameters of a request escaped',
    level: 'practice',
    expectation: 'advice',
    control: 'authorization',
    description:
      'A link to the IDP could otherwise run a script of an attacker where people log in.',
    sends:
      'Authorization requests with markup in one parameter each, and requests for the status of a session and for an unknown page with it.',
    decides: 'No HTML page contains the markup.',
    fix: 'Escape <, >, & and quotes in everything that a page repeats from a request, including error descriptions.',
    async run({ authorizationUrl, baseUrl, createBrowser }) {
      const names = ['client_id', 'response_type', 'response_mode', 'scope', 'state', 'prompt']
      const more = ['ui_locales', 'login_hint', 'acr_values', 'code_challenge_method', ...names]
      const elsewhere = [
        { name: 'session', url: new URL(`${baseUrl}/idp/api/auth/requests`) },
        { name: 'path', url: new URL(`${baseUrl}/accounts/${encodeURIComponent(markup)}`) },
      ]
      const create = async (name: string) => {
        const url = await authorizationUrl({ parameters: { state: 's', nonce: 'n' } })
        return { name, url }
      }
      const requests = [...(await Promise.all(['redirect_uri', ...more].map(create))), ...elsewhere]
      return findEach(requests, async ({ name, url }) => {
        const value = url.searchParams.get(name) ?? ''
        url.searchParams.set(name, `${value}${markup}`)
        const stop = name === 'redirect_uri' ? new URL(value).origin : undefined
        const { text, headers } = await createBrowser().get(url.href, stop)
        const isHtml = /html/.test(headers.get('content-type') ?? 'html')
        const verdictSource = 'page'
        return isHtml && text.includes(markup)
          ? broken(`A page repeats the markup in ${name}.`, { verdictSource })
          : held(`No page repeats the markup in ${name}.`, { verdictSource })
      })
    },
  },
})

const markup = `"><${probe}>`

/** Requests with an unregistered address, whose other mistake a careless IDP reports there. */
const withSecondMistake = [
  { what: 'a response_type that is not supported', parameters: { response_type: 'token' } },
  { what: 'prompt=none', parameters: { prompt: 'none' } },
  { what: 'no scope', parameters: { scope: undefined } },
].map(({ what, parameters }) => ({
  what: `An authorization request with an unregistered redirect_uri and ${what}`,
  parameters: { ...parameters, redirect_uri: 'https://attacker.example/callback', nonce: 'n' },
}))

/** The errors of a request that would need a page: OpenID Connect Core 1.0, 3.1.2.6. */
const errorsWithoutPage = [
  'login_required',
  'interaction_required',
  'consent_required',
  'account_selection_required',
]

/** A logout without a session, if the discovery document announces logouts, must not lead to other sites. */
async function findLogout(context: IdpContext, otherwise: Finding): Promise<Finding> {
  const { end_session_endpoint: endpoint } = await context.discover()
  if (typeof endpoint !== 'string' || !URL.canParse(endpoint)) return otherwise
  const attacker = 'https://attacker.example'
  const url = new URL(endpoint)
  url.searchParams.set('client_id', context.target.client.clientId)
  url.searchParams.set('post_logout_redirect_uri', `${attacker}/after`)
  const { status, url: reached } = await context.createBrowser().get(url.href, attacker)
  return status === 0 && reached.startsWith(attacker)
    ? broken('The logout sent the browser to an unregistered address.', { level: 'practice' })
    : otherwise
}

/**
 * Checks that a request returns to the relying party with an error, state and the issuer.
 * @param errors the errors that relying parties expect; by default any
 */
async function findErrorRedirect(
  context: IdpContext,
  what: string,
  parameters: AuthorizationParameters,
  errors?: readonly string[],
): Promise<Finding> {
  const { authorizationUrl, createBrowser, target } = context
  const state = ' a state/with=signs&more+ñ%2B '
  const url = await authorizationUrl({ parameters: { ...parameters, state } })
  const page = await createBrowser().get(url.href)
  const { status, url: reached } = page
  const verdictSource = 'the address that the browser was sent to'
  if (status !== 0) {
    const reason = `${what} led to a page with HTTP ${status} instead of a redirect`
    // Some IDPs validate a request only after this form, which prompt=none rules out.
    if (hasPasswordField(page) && parameters.prompt !== 'none') {
      return inconclusive(`${reason}: a form with a password, which the kit does not fill in`)
    }
    return status === 200 ? broken(reason, { verdictSource }) : inconclusive(reason)
  }
  const { searchParams, hash } = new URL(reached)
  const answer = searchParams.has('error') ? searchParams : new URLSearchParams(hash.slice(1))
  expectTrue(`${what} returned with an error`, answer.has('error'), reached.split(/[?#]/)[0])
  expectEqual('the address', reached.split(/[?#]/)[0], target.client.redirectUri)
  expectEqual('state', answer.get('state'), state)
  expectTrue('iss is the issuer', await hasRightIssuer(context, answer), answer.get('iss'))
  const error = String(answer.get('error'))
  if (errors && !errors.includes(error)) {
    const details = { verdictSource, expected: errors, actual: error, level: 'practice' } as const
    return broken(`${what} returned with the error ${error}.`, details)
  }
  return held(`${what} returned with the error ${error} and state.`, { verdictSource })
}

interface SimilarAddress {
  /** To follow the name of the parameter: `has a different host`. */
  readonly what: string
  readonly redirect_uri: string
  readonly level?: CheckLevel
}

/** Addresses that a careless comparison takes for the registered one. */
function similarAddresses(registered: string): readonly SimilarAddress[] {
  const { protocol, host, hostname, origin, pathname } = new URL(registered)
  const rest = registered.slice(registered.indexOf(host) + host.length)
  const at = (before: string, after = rest) => `${protocol}//${before}${after}`
  const changePath = (change: (path: string) => string) => at(host, change(rest))
  const isLoopback = ['127.0.0.1', '[::1]', 'localhost'].includes(hostname)
  const query = `${registered.includes('?') ? '&' : '?'}${probe}=1`
  const last = pathname.slice(-1)
  const all: readonly SimilarAddress[] = [
    { what: 'has a different host', redirect_uri: 'https://attacker.example/callback' },
    { what: 'has a longer path', redirect_uri: `${registered}/further` },
    {
      what: 'has a host that begins with the registered one',
      redirect_uri: at(`${host.replace(/:\d+$/, '')}.attacker.example`),
    },
    {
      what: 'has a host that ends with the registered one',
      redirect_uri: at(`attacker-${host}`),
    },
    {
      what: 'has the registered host as user information',
      redirect_uri: at(`${hostname}@attacker.example`),
    },
    { what: 'has added user information', redirect_uri: at(`${probe}@${host}`) },
    {
      what: 'contains the registered address in its query',
      redirect_uri: `https://attacker.example/?${registered}`,
    },
    {
      what: 'has a different scheme',
      redirect_uri: registered.replace(/^https?/, (scheme) =>
        scheme === 'http' ? 'https' : 'http',
      ),
    },
    {
      what: 'has a different port',
      redirect_uri: at(`${hostname}:8`),
      // Native apps listen on any port (RFC 8252, 7.3).
      ...(isLoopback && { level: 'practice' as const }),
    },
    { what: 'has an added query parameter', redirect_uri: `${registered}${query}` },
    { what: 'has a fragment', redirect_uri: `${registered}#${probe}` },
    { what: 'has an added slash at the end', redirect_uri: `${registered}/` },
    { what: 'leaves its folder with ..', redirect_uri: `${registered}/../elsewhere` },
    {
      what: 'has an encoded letter',
      redirect_uri: registered.endsWith(last)
        ? `${registered.slice(0, -1)}%${last.charCodeAt(0).toString(16)}`
        : registered,
      // The same resource (RFC 3986, 6.2.2.2), but not the same string.
      level: 'final',
    },
    {
      what: 'has only the registered origin',
      redirect_uri: `${origin}/`,
    },
    { what: 'has only the path', redirect_uri: rest },
    {
      what: 'is the path of a different folder',
      redirect_uri: changePath((path) => `/other${path}`),
    },
    ...nearMisses
      .filter(({ what }) => /case/.test(what) === false)
      .map(({ what, change }) => ({
        what,
        redirect_uri: changePath((path) => `/${change(path.slice(1) || 'a')}`),
      })),
    { what: 'has upper case and lower case exchanged in its path', redirect_uri: changePath(swap) },
  ]
  const { href } = new URL(registered)
  const others = all.filter(({ redirect_uri }) => URL.parse(redirect_uri)?.href !== href)
  // Parsers of addresses trim it.
  const spaced = { what: spaceAtEnd.what, redirect_uri: spaceAtEnd.change(registered) }
  return [...others, { ...spaced, level: 'final' }]
}

const swap = (path: string) => nearMisses.at(-1)?.change(path) ?? path
