import { createHash } from 'node:crypto'
import { broken, defineChecks, type Finding, held, inconclusive } from '../../../kit/check.ts'
import { findEach } from '../../../kit/find-each.ts'
import { findGuessable } from '../../../kit/guessable-values.ts'
import type { ServedRequest } from '../../../world/start-kit-server.ts'
import type { BegunLogin, EndedLogin, RelyingPartyContext } from '../context.ts'
import { findAcceptance } from '../findings.ts'

const authorizationRequest = 'the authorization request'
const tokenRequest = 'the token request'

/** Authorization requests of several logins, each in a new browser. */
async function beginSeveral({ begin }: RelyingPartyContext): Promise<readonly BegunLogin[]> {
  const begun: BegunLogin[] = []
  while (begun.length < 4) begun.push(await begin())
  return begun
}

/** The values of a parameter in several authorization requests, without those that lack it. */
const valuesIn = (begun: readonly BegunLogin[], name: string) =>
  begun.flatMap(({ request }) => request.get(name) || [])

/** What the application sends to the provider in a valid login. */
export const checks = defineChecks<RelyingPartyContext>({
  'R01-valid-login': {
    title: 'A valid login is accepted',
    level: 'spec',
    expectation: 'accept',
    rows: [
      '1.endpoints/credential-idp.3',
      '1.endpoints/credential-idp.4',
      '1.endpoints/credential-idp.20',
    ],
    clauses: ['OpenID Connect Core 1.0, 3.1'],
    description: 'A rejection in another check only counts if this login is accepted.',
    sends: 'A login whose answers are all valid.',
    decides: 'A page shows the name, the email or the sub of its user.',
    fix: 'Follow the authorization code flow of OpenID Connect with the addresses in the discovery document. Show the name, email or sub of the user at the end of the login, or set userPage.',
    async run(context) {
      const ended = await context.finish(await context.openLogin())
      const finding = findAcceptance(context, 'A valid login', ended)
      const { userPage } = ended
      const isWithout = userPage && !context.shows({ ...ended, page: userPage })
      if (finding.kind !== 'held' || !isWithout) return finding
      const found = `userPage returned HTTP ${userPage.status}, and does not show the user`
      return inconclusive(`The login ended with its user, but ${found}: correct userPage.`)
    },
  },
  'R02-authorization-request': {
    title: 'The authorization request has response_type code and the scope openid',
    level: 'spec',
    expectation: 'advice',
    rows: [
      '1.endpoints/credential-idp.13',
      '1.endpoints/credential-idp.14',
      '1.endpoints/credential-idp.15',
      '1.endpoints/credential-idp.16',
    ],
    clauses: ['OpenID Connect Core 1.0, 3.1.2.1'],
    description: 'The IDP rejects another request, or returns no ID token.',
    sends: 'Nothing: the kit opens loginUrl in a browser and reads the redirect.',
    decides:
      'response_type is code, scope contains openid, no parameter is repeated, and the client secret is not in the address.',
    fix: 'Send the browser to authorization_endpoint with response_type=code, client_id, redirect_uri and a scope that contains openid.',
    async run({ openLogin, target }) {
      const { request } = await openLogin()
      const verdictSource = authorizationRequest
      const type = request.get('response_type')
      if (type !== 'code') {
        return broken('response_type is not code.', {
          expected: 'code',
          actual: type,
          verdictSource,
        })
      }
      const scope = request.get('scope')
      if (!scope?.split(' ').includes('openid')) {
        return broken('scope does not contain openid.', { actual: scope, verdictSource })
      }
      const names = [...request.keys()]
      const repeated = names.find((name, index) => names.indexOf(name) < index)
      if (repeated) return broken(`The parameter ${repeated} is repeated.`, { verdictSource })
      if ([...request.values()].some((value) => value.includes(target.client.clientSecret))) {
        return broken('The client secret is in the address.', { verdictSource })
      }
      return held('The request has response_type code and a scope with openid.', { verdictSource })
    },
  },
  'R03-state': {
    title: 'Each login has a new state that cannot be guessed',
    level: 'final',
    expectation: 'advice',
    rows: ['1.endpoints/credential-idp.17'],
    clauses: ['RFC 6749, 10.12', 'RFC 9700, 4.7.1'],
    description:
      'An attacker who knows the state of a login logs users in to the account of the attacker.',
    sends: 'Nothing: the kit opens loginUrl in four browsers.',
    decides:
      'About 100 bits of state vary, or code_challenge or nonce is new in each login: they also prevent the attack.',
    fix: 'Create a random state of at least 128 bits for each login, and store it for this browser.',
    async run(context) {
      const begun = await beginSeveral(context)
      const verdictSource = authorizationRequest
      const states = valuesIn(begun, 'state')
      const isMissing = states.length < begun.length
      const finding = isMissing
        ? broken('There is no state.', { verdictSource })
        : findGuessable('state', states, { verdictSource })
      const binding = ['code_challenge', 'nonce'].find(
        (name) => new Set(valuesIn(begun, name)).size === begun.length,
      )
      return finding.kind === 'held' || binding === undefined
        ? finding
        : held(`${finding.reason} But ${binding} is new in each login.`, { verdictSource })
    },
  },
  'R04-nonce': {
    title: 'Each login has a new nonce that cannot be guessed',
    level: 'practice',
    expectation: 'advice',
    rows: ['1.endpoints/credential-idp.18'],
    clauses: ['OpenID Connect Core 1.0, 3.1.2.1', 'RFC 9700, 2.1.1'],
    description:
      'Without a nonce an ID token of another login is accepted, and only the IDP notices a stolen code.',
    sends: 'Nothing: the kit opens loginUrl in four browsers.',
    decides:
      'About 100 bits of nonce vary, and it differs from state. A request without nonce must have a code_challenge.',
    fix: 'Send a random nonce of at least 128 bits in each authorization request, and compare it with that of the ID token.',
    async run(context) {
      const begun = await beginSeveral(context)
      const verdictSource = authorizationRequest
      const nonces = valuesIn(begun, 'nonce')
      if (nonces.length < begun.length) {
        return valuesIn(begun, 'code_challenge').length === begun.length
          ? held('There is no nonce, but PKCE.', { verdictSource })
          : broken('There is neither a nonce nor a code_challenge.', { verdictSource })
      }
      if (begun.some(({ request }) => request.get('nonce') === request.get('state'))) {
        return broken('nonce and state are the same value.', { verdictSource })
      }
      return findGuessable('nonce', nonces, { verdictSource })
    },
  },
  'R05-pkce': {
    title: 'Each login uses PKCE with S256 and a new code_verifier',
    level: 'practice',
    expectation: 'advice',
    control: 'login',
    clauses: ['RFC 9700, 2.1.1', 'RFC 7636, 4.1', 'RFC 7636, 4.3'],
    description:
      'PKCE binds the code to the login in which it was issued. A stolen code is then useless, even to a client with the secret.',
    sends: 'Two valid logins.',
    decides:
      'code_challenge_method is S256, code_verifier has 43 to 128 characters, its SHA-256 is code_challenge, about 100 bits of it vary, and it is not part of the authorization request.',
    fix: 'Send code_challenge with code_challenge_method=S256 in the authorization request, and its random code_verifier of 43 characters only in the token request.',
    async run(context) {
      const logins = [await context.logIn(), await context.logIn()]
      const found = await findEach(logins, async (login) => findPkce(login))
      if (found.kind !== 'held') return found
      const verdictSource = tokenRequest
      return findGuessable('code_verifier', logins.map(verifierOf), { verdictSource })
    },
  },
  'R06-token-request': {
    title: 'The token request is a form with grant_type, code and redirect_uri, sent once',
    level: 'spec',
    expectation: 'advice',
    control: 'login',
    rows: ['1.endpoints/credential-idp.19'],
    clauses: ['RFC 6749, 4.1.3'],
    description: 'The IDP rejects other requests. A code that is sent twice can end the session.',
    sends: 'A valid login.',
    decides:
      'The application posts one form with grant_type authorization_code, the code, and the redirect_uri of the authorization request. No parameter is repeated, and none is in the address.',
    fix: 'Post grant_type=authorization_code, code and the same redirect_uri as application/x-www-form-urlencoded to token_endpoint, once for each code.',
    async run({ logIn, target }) {
      const { code, tokenRequests } = await logIn()
      return findTokenRequest(tokenRequests, {
        grant_type: 'authorization_code',
        code,
        redirect_uri: target.client.redirectUri,
      })
    },
  },
  'R07-client-authentication': {
    title: 'The application authenticates with its secret at the token endpoint, in one way',
    level: 'spec',
    expectation: 'advice',
    control: 'login',
    rows: ['1.endpoints/credential-idp.5'],
    clauses: ['RFC 6749, 2.3', 'RFC 6749, 2.3.1'],
    description:
      'Without its secret anyone can redeem the codes of the application. Addresses are in logs, so the secret must not be there.',
    sends: 'A valid login.',
    decides:
      'The token request has client_id and client_secret in a Basic header or in the form, not in both, as clientAuthentication of the target says. The address has no query.',
    fix: 'Send client_id and client_secret as HTTP Basic, both form-urlencoded first, or in the form of the token request. Use one of the two, as the client is registered.',
    run: async ({ logIn, target }) => findAuthentication(await logIn(), target),
  },
  'R08-userinfo-request': {
    title: 'The access token is only sent to userinfo, in the header Authorization',
    level: 'spec',
    expectation: 'advice',
    control: 'login',
    rows: ['1.endpoints/credential-idp.6'],
    clauses: ['OpenID Connect Core 1.0, 5.3.1', 'RFC 9700, 4.3.2'],
    description: 'Addresses are in logs and in the history of browsers.',
    sends: 'A valid login.',
    decides:
      'Requests to userinfo have Authorization: Bearer with the access token, and it is not in the address. An application that does not call userinfo passes.',
    fix: 'Send the access token to userinfo only as Authorization: Bearer.',
    async run({ logIn }) {
      const { accessToken, userinfoRequests } = await logIn()
      const verdictSource = 'the userinfo request'
      if (userinfoRequests.length === 0) {
        return held('The application does not call userinfo.', { verdictSource })
      }
      return findEach(userinfoRequests, async ({ headers, search, body }) => {
        if (`${search} ${body}`.includes(accessToken)) {
          return broken('The access token is in the address or in the body.', { verdictSource })
        }
        const actual = headers.authorization
        return actual?.toLowerCase() === `bearer ${accessToken}`.toLowerCase()
          ? held('The access token is in the header Authorization.', { verdictSource })
          : broken('The header Authorization is not Bearer with the access token.', {
              verdictSource,
              actual,
            })
      })
    },
  },
})

const verifierOf = ({ tokenRequests: [request] }: EndedLogin): string =>
  new URLSearchParams(request?.body).get('code_verifier') ?? ''

function findPkce(login: EndedLogin): Finding {
  const { request } = login
  const verdictSource = tokenRequest
  const challenge = request.get('code_challenge')
  const method = request.get('code_challenge_method')
  if (!challenge) return broken('There is no code_challenge.', { verdictSource })
  if (method !== 'S256') {
    return broken('code_challenge_method is not S256.', { actual: method, verdictSource })
  }
  const verifier = verifierOf(login)
  if (!/^[\w.~-]{43,128}$/.test(verifier)) {
    return broken('code_verifier is missing or malformed.', { actual: verifier, verdictSource })
  }
  const leak = [...request].find(([, value]) => value.includes(verifier))
  if (leak) {
    const reason = `code_verifier is in the authorization request, as ${leak[0]}.`
    return broken(reason, { verdictSource: authorizationRequest })
  }
  return createHash('sha256').update(verifier).digest('base64url') === challenge
    ? held('code_verifier matches code_challenge.', { verdictSource })
    : broken('The SHA-256 of code_verifier is not code_challenge.', { verdictSource })
}

function findTokenRequest(
  [request, ...more]: readonly ServedRequest[],
  expected: Readonly<Record<string, string>>,
): Finding {
  const verdictSource = tokenRequest
  if (request === undefined) return broken('There is no token request.', { verdictSource })
  if (more.length > 0) return broken('The code is sent more than once.', { verdictSource })
  const { method, headers, body } = request
  const type = headers['content-type'] ?? 'none'
  if (method !== 'POST' || !type.startsWith('application/x-www-form-urlencoded')) {
    return broken('It is not a POST of a form.', { actual: `${method} ${type}`, verdictSource })
  }
  const form = new URLSearchParams(body)
  const wrong = Object.entries(expected).find(
    ([name, value]) => form.getAll(name).length !== 1 || form.get(name) !== value,
  )
  if (wrong === undefined) return held('The token request is correct.', { verdictSource })
  const [name, value] = wrong
  return broken(`${name} is missing, wrong or repeated.`, {
    expected: value,
    actual: form.getAll(name),
    verdictSource,
  })
}

function findAuthentication(
  { tokenRequests: [request] }: EndedLogin,
  { client: { clientId, clientSecret }, clientAuthentication }: RelyingPartyContext['target'],
): Finding {
  const verdictSource = tokenRequest
  if (request === undefined) return broken('There is no token request.', { verdictSource })
  const { headers, search, body } = request
  if (search !== '') return broken('Its address has a query.', { verdictSource })
  const form = new URLSearchParams(body)
  const inBody = form.get('client_secret') ?? undefined
  const basic = readBasic(headers.authorization)
  if (inBody !== undefined && basic !== undefined) {
    return broken('The secret is in the header and in the form.', { verdictSource })
  }
  const used = basic ? 'basic' : inBody === undefined ? undefined : 'body'
  if (used === undefined) return broken('It has no client secret.', { verdictSource })
  if (clientAuthentication !== undefined && used !== clientAuthentication) {
    return broken('The secret is not sent as the client is registered.', {
      expected: clientAuthentication,
      actual: used,
      verdictSource,
    })
  }
  const [id, secret] = basic ?? [form.get('client_id'), inBody]
  return id === clientId && secret === clientSecret
    ? held(`The client authenticates with ${used}.`, { verdictSource })
    : broken('client_id or client_secret is wrong.', { verdictSource })
}

/** Id and secret in a Basic header, which are form-urlencoded (RFC 6749, 2.3.1). */
function readBasic(header = ''): readonly string[] | undefined {
  const encoded = /^Basic +(\S+)$/i.exec(header)?.[1]
  if (encoded === undefined) return undefined
  const text = Buffer.from(encoded, 'base64').toString()
  const at = text.indexOf(':')
  return [text.slice(0, at), text.slice(at + 1)].map(decodeFormValue)
}

export function decodeFormValue(text: string): string {
  return new URLSearchParams(`value=${text.replaceAll('&', '%26')}`).get('value') ?? ''
}
