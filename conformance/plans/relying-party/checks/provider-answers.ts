import { setTimeout as wait } from 'node:timers/promises'
import { broken, defineChecks, held, inconclusive, wronglyAccepted } from '../../../kit/check.ts'
import { dueCases, findEach } from '../../../kit/find-each.ts'
import type { ServedAnswer } from '../../../world/start-kit-server.ts'
import type { RelyingPartyContext } from '../context.ts'
import {
  findAcceptance,
  findEachRejected,
  redirectFailed,
  requireShown,
  verdictSource,
  type WrongLogin,
} from '../findings.ts'
import { signJwt, type TokenChanges } from '../id-tokens.ts'
import { createUser, json, type Script } from '../provider.ts'

/** A login whose token response is this one. */
const withAnswer = (what: string, token: NonNullable<Script['token']>): WrongLogin => ({
  what: `A token response ${what}`,
  script: { token },
})

const page = (status: number, body: string): ServedAnswer => ({
  status,
  contentType: 'text/html',
  body,
})

/** Responses with complete, valid tokens and a status that says that there are none. */
const failures: readonly WrongLogin[] = [
  ...['invalid_grant', 'invalid_client', 'unknown_error'].map((error) =>
    withAnswer(`with the error ${error}`, () =>
      json({ error }, error === 'invalid_client' ? 401 : 400),
    ),
  ),
  ...[400, 401, 403, 500].map((status) =>
    withAnswer(`with HTTP ${status} and complete tokens`, (body) => json(body, status)),
  ),
  withAnswer('with HTTP 500 and a page', () => page(500, '<h1>Error</h1>')),
]

const unreadable: readonly WrongLogin[] = [
  withAnswer('that is a page', () => page(200, '<h1>Welcome</h1>')),
  withAnswer('that is empty', () => ({ status: 200, body: '' })),
  withAnswer('that is null', () => json(null)),
  withAnswer('that is a list with the tokens', (body) => json([body])),
  withAnswer('that is cut off', (body) => ({
    status: 200,
    body: JSON.stringify(body).slice(0, -20),
  })),
  withAnswer('that is a form', ({ id_token, access_token }) => ({
    status: 200,
    contentType: 'application/x-www-form-urlencoded',
    body: new URLSearchParams({
      id_token: String(id_token),
      access_token: String(access_token),
      token_type: 'Bearer',
    }).toString(),
  })),
  withAnswer('without access_token', ({ access_token, ...body }) => json(body)),
  withAnswer('whose connection is cut', () => 'drop'),
]

/** Milliseconds in which some libraries do not read the keys again, and one second more. */
const longestUnread = 61_000

/** Something else is tested if the application does not call userinfo. */
const notCalled = held('The application does not call userinfo.', { verdictSource })

const callsUserinfo = async ({ logIn }: RelyingPartyContext): Promise<boolean> =>
  (await logIn()).userinfoRequests.length > 0

/** Answers of the token endpoint, of userinfo and of jwks_uri. */
export const checks = defineChecks<RelyingPartyContext>({
  'R40-token-errors': {
    title: 'An error of the token endpoint ends the login',
    level: 'final',
    expectation: 'refuse',
    control: 'login',
    clauses: ['RFC 6749, 5.2', 'OpenID Connect Core 1.0, 3.1.3.4'],
    description: 'The status decides whether the code was redeemed, not the members of the body.',
    sends:
      'Token responses with the errors invalid_grant, invalid_client and an unknown one, with HTTP 500 and a page, and with HTTP 400, 401, 403 and 500 and complete tokens.',
    decides: 'No page shows the user.',
    fix: 'Read the tokens only from a response with status 200. Otherwise show that the login failed.',
    run: (context) => findEachRejected(context, failures, 'tokenRequests'),
  },
  'R41-unreadable-token-responses': {
    title: 'A token response that is not a JSON object with an access token ends the login',
    level: 'practice',
    expectation: 'refuse',
    control: 'login',
    clauses: ['RFC 6749, 5.1', 'OpenID Connect Core 1.0, 3.1.3.3'],
    description: 'Proxies answer with pages. An application must not continue without tokens.',
    sends:
      'Token responses that are a page, empty, null, a list, a form or cut off, or that have no access_token, and a connection that is cut.',
    decides: 'No page shows the user.',
    fix: 'Require a JSON object with access_token, id_token and token_type as token response. Otherwise show that the login failed.',
    run: (context) => findEachRejected(context, unreadable, 'tokenRequests'),
  },
  'R42-token-type': {
    title: 'Tokens of an unknown type are not used',
    level: 'practice',
    expectation: 'refuse',
    control: 'login',
    rows: ['1.endpoints/credential-idp.20'],
    clauses: ['RFC 6749, 7.1', 'OpenID Connect Core 1.0, 3.1.3.3'],
    description:
      'The type says how a token is used. Sent as a Bearer token, one of another type reaches parties that must not have it.',
    sends: 'Token responses with token_type mac, with an unknown one, and without token_type.',
    decides: 'No page shows the user.',
    fix: 'Require token_type Bearer, in any case, in the token response.',
    run: (context) =>
      findEachRejected(
        context,
        ['mac', 'unknown', undefined].map((token_type) =>
          withAnswer(`with the token_type ${token_type ?? 'missing'}`, (body) =>
            json({ ...body, token_type }),
          ),
        ),
        'tokenRequests',
      ),
  },
  'R43-token-redirect': {
    title: 'A redirect of the token endpoint does not lead the secret elsewhere',
    level: 'practice',
    expectation: 'refuse',
    control: 'login',
    description:
      'The token request contains the code and the secret of the client. Its address comes from the discovery document only.',
    sends: 'Token responses with HTTP 307, 308 and 302, and an address of another server.',
    decides:
      'No page shows the user, and the other server does not receive the code or the secret.',
    fix: 'Do not follow redirects in the token request: redirect: "error" in fetch, allow_redirects=False in requests of Python, CheckRedirect in Go.',
    run: (context) =>
      findEach(dueCases(context, [307, 308, 302]), async (status) => {
        const trap = await context.startTrap()
        const location = `${trap.origin}/token`
        const finding = await findEachRejected(
          context,
          [withAnswer(`with HTTP ${status}`, () => ({ status, headers: { location } }))],
          'tokenRequests',
        )
        // A GET has no body, and clients send Authorization only to the origin that it is for.
        const posts = trap.visits.filter((visit) => visit.startsWith('POST'))
        return posts.length === 0
          ? finding
          : wronglyAccepted(`The token request was sent to another server after HTTP ${status}.`, {
              verdictSource: 'the requests to an address of the kit',
              actual: posts,
            })
      }),
  },
  'R44-userinfo-of-another-user': {
    title: 'The claims of userinfo are not used if its sub, status or signature is wrong',
    level: 'final',
    expectation: 'refuse',
    control: 'login',
    rows: ['1.endpoints/credential-idp.6'],
    clauses: ['OpenID Connect Core 1.0, 5.3.2', 'OpenID Connect Core 1.0, 5.3.4'],
    description:
      'An attacker who can exchange access tokens would have the claims of another user in their own login.',
    sends:
      'Userinfo responses with the claims of another user, with another sub, a near miss, and without sub. Then with the right sub: with HTTP 401 and 500, and as a JWT that another key signed or that has alg none.',
    decides:
      'No page shows the other user. With the right sub, a page that does is only a WARN of good practice. An application may continue with the claims of the ID token, and passes if it does not call userinfo.',
    fix: 'Use userinfo only if its status is 200 and its sub is that of the ID token. Verify the signature if it is a JWT (application/jwt), or reject a JWT.',
    async run(context) {
      if (!(await callsUserinfo(context))) return notCalled
      const subjects: Readonly<Record<string, (sub: string) => unknown>> = {
        'another sub': () => createUser().sub,
        'a sub that is longer': (sub) => `${sub}2`,
        'a sub that is shorter': (sub) => sub.slice(0, -1),
        'a sub in upper case': (sub) => sub.toUpperCase(),
        'no sub': () => undefined,
        'an empty sub': () => '',
        'a list with the right sub': (sub) => [sub],
      }
      const all = [
        ...Object.entries(subjects).map(([what, change]) => ({
          what,
          answer: (claims: Claims) => json({ ...claims, sub: change(String(claims.sub)) }),
          level: undefined,
        })),
        ...wrongForms(context).map((each) => ({ ...each, level: 'practice' as const })),
      ]
      return findEach(dueCases(context, all), async ({ what, answer, level }) => {
        const other = createUser()
        const ended = await context.logIn({
          userinfo: (claims, { user }) => answer({ ...claims, ...other, sub: user.sub }),
        })
        if (ended.userinfoRequests.length === 0) {
          return inconclusive(`Userinfo with ${what} was not requested.`, { verdictSource })
        }
        const details = { verdictSource, ...(level && { level }) }
        return context.shows(ended, { ...other, sub: other.email })
          ? wronglyAccepted(`The claims of userinfo with ${what} were used.`, details)
          : held(`The claims of userinfo with ${what} were not used.`, { verdictSource })
      })
    },
  },
  'R45-key-rotation': {
    title: 'An ID token that a new key signed is accepted',
    level: 'final',
    expectation: 'accept',
    rows: ['1.endpoints/credential-idp.7'],
    clauses: ['OpenID Connect Core 1.0, 10.1.1'],
    description:
      'The IDP rotates its keys. An application that reads them only once stops working until someone restarts it.',
    sends:
      'A login whose ID token a new key signed, which jwks_uri has published shortly before. If the application does not read jwks_uri, one more a minute after it last did: some libraries do not read it more often.',
    decides: 'A page shows the user.',
    fix: 'If an ID token has an unknown kid, read jwks_uri again, at most once in a few seconds, and verify the ID token with the new keys.',
    timeLimitMilliseconds: 120_000,
    async run(context) {
      requireShown(context, await context.logIn())
      const key = await context.provider.addKey()
      const script: Script = { idToken: () => ({ key, header: { kid: key.kid } }) }
      const what = 'An ID token that a new key signed'
      const { count, last } = context.provider.keyReads
      const first = findAcceptance(context, what, await context.logIn(script))
      if (first.kind === 'held' || context.provider.keyReads.count > count) return first
      const left = Math.max(0, last + longestUnread - performance.now())
      await wait(left, undefined, { signal: context.signal }).catch(() => {})
      return findAcceptance(context, what, await context.logIn(script))
    },
  },
  'R46-valid-variants': {
    title: 'Valid answers in unusual forms are accepted',
    level: 'final',
    expectation: 'accept',
    rows: [
      '1.endpoints/credential-idp.20',
      '1.resources-and-their-fields/idp-id-token-claims.1',
      '1.resources-and-their-fields/idp-id-token-claims.2',
    ],
    clauses: [
      'OpenID Connect Core 1.0, 2',
      'OpenID Connect Core 1.0, 3.1.2.7',
      'RFC 6749, 5.1',
      'RFC 7519, 4',
    ],
    description:
      'A provider may add claims and parameters. An application that rejects them stops working at the next update.',
    sends:
      'Logins with aud as a list, azp, unknown claims, header parameters, members and parameters, a long sub and one with punctuation, no typ, token_type in lower case, no expires_in and refresh_token.',
    decides: 'A page shows the user in each login.',
    fix: 'Ignore claims, members and parameters that you do not know. Accept aud as a list of your client_id only, token_type in any case, and a sub of up to 255 ASCII characters.',
    run: (context) =>
      findEach(dueCases(context, variantsOf(context)), async ({ what, script }) =>
        findAcceptance(context, what, await context.logIn(script)),
      ),
  },
  'R47-error-pages': {
    title: 'A login that fails ends with an error page, not with a server error',
    level: 'practice',
    expectation: 'advice',
    control: 'login',
    clauses: ['RFC 9110, 15.6.1'],
    description:
      'A user who cancels a login, and a provider that fails, are not errors of the application. Its server errors wake someone up, and often show a stack trace.',
    sends:
      'A redirect with access_denied, one with another state, a token response with invalid_grant, an ID token with another nonce, and userinfo with HTTP 401 and 500.',
    decides: 'No page has HTTP 500, and the redirects end.',
    fix: 'Catch the errors of your OpenID Connect library at the redirect URI, and show a page with a 4xx and a link to try again: for example with an error handler of Express, Flask or Spring.',
    run: (context) =>
      findEach(rejections, async ({ what, script }) => {
        const ended = await context.logIn(script)
        const { status, text } = ended.page
        if (status === redirectFailed) return broken(`${what}: ${text}.`, { verdictSource })
        return status === 500
          ? broken(`${what} was answered with a server error: HTTP ${status}.`, {
              verdictSource,
              actual: status,
            })
          : held(`${what} was not answered with a server error.`, { verdictSource })
      }),
  },
})

type Claims = Readonly<Record<string, unknown>>

/** Userinfo with the right sub, whose claims must not be used for another reason. */
function wrongForms({ provider: { key, otherKey } }: RelyingPartyContext) {
  const jwt = (claims: Claims, changes: TokenChanges): ServedAnswer => ({
    status: 200,
    contentType: 'application/jwt',
    body: signJwt(claims, key, changes),
  })
  const forms: Readonly<Record<string, (claims: Claims) => ServedAnswer>> = {
    'HTTP 401': (claims) => json(claims, 401),
    'HTTP 500': (claims) => json(claims, 500),
    'the signature of another key': (claims) => jwt(claims, { key: otherKey }),
    'alg none': (claims) => jwt(claims, { header: { alg: 'none' }, sign: () => new Uint8Array() }),
  }
  return Object.entries(forms).map(([what, answer]) => ({ what, answer }))
}

function variantsOf({ target }: RelyingPartyContext): readonly WrongLogin[] {
  const { clientId } = target.client
  const claims: Readonly<Record<string, Readonly<Record<string, unknown>>>> = {
    'aud as a list': { aud: [clientId] },
    'aud as a list, and azp': { aud: [clientId], azp: clientId },
    azp: { azp: clientId },
    'unknown claims': { 'https://example.org/claim': { deep: [1, null] }, acr: '0', amr: ['vp'] },
    'a nbf in the past': { nbf: 1 },
  }
  const others: Readonly<Record<string, Script>> = {
    'A sub of 255 characters': { user: { sub: createUser().sub.padEnd(255, '-') } },
    'A sub with a colon, a slash and a vertical bar': {
      user: { sub: `did:example/${createUser().sub}|1` },
    },
    'An ID token without typ': { idToken: () => ({ header: { typ: undefined } }) },
    'An ID token with unknown header parameters': {
      idToken: () => ({ header: { 'x-unknown': 1 } }),
    },
    'A token response with unknown members': {
      token: (body) => json({ ...body, session_state: 'x', not_before_policy: 0 }),
    },
    'A token response with token_type in lower case': {
      token: (body) => json({ ...body, token_type: 'bearer' }),
    },
    'A token response without expires_in, refresh_token and scope': {
      token: ({ expires_in, refresh_token, scope, ...body }) => json(body),
    },
    'A redirect with unknown parameters': {
      callback: (parameters) => ({ ...parameters, session_state: 'a-session', unknown: 'x y' }),
    },
    'Userinfo with unknown claims': {
      userinfo: (body) => json({ ...body, updated_at: 1, address: { country: 'ES' } }),
    },
  }
  return [
    ...Object.entries(claims).map(([what, changed]) => ({
      what: `An ID token with ${what}`,
      script: { idToken: () => ({ claims: changed }) },
    })),
    ...Object.entries(others).map(([what, script]) => ({ what, script })),
  ]
}

/** Logins that fail in the common ways. */
export const rejections: readonly WrongLogin[] = [
  {
    what: 'A redirect with access_denied',
    script: {
      callback: (parameters) => ({ ...parameters, code: undefined, error: 'access_denied' }),
    },
  },
  {
    what: 'A redirect with another state',
    script: { callback: (parameters) => ({ ...parameters, state: 'another-state' }) },
  },
  withAnswer('with invalid_grant', () => json({ error: 'invalid_grant' }, 400)),
  {
    what: 'An ID token with another nonce',
    script: { idToken: () => ({ claims: { nonce: 'another-nonce' } }) },
  },
  {
    what: 'Userinfo with HTTP 401',
    script: { userinfo: () => json({ error: 'invalid_token' }, 401) },
  },
  { what: 'Userinfo with HTTP 500', script: { userinfo: () => json({}, 500) } },
]
