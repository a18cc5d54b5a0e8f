import { defineChecks, endCheck, inconclusive } from '../../../kit/check.ts'
import { changing, convertibleTypes, nearMisses, nearMissesOf } from '../../../kit/near-misses.ts'
import type { RelyingPartyContext } from '../context.ts'
import { findEachRejected, type WrongLogin, withToken } from '../findings.ts'
import type { TokenChanges } from '../id-tokens.ts'
import type { ProvidedLogin } from '../provider.ts'

type Members = Readonly<Record<string, unknown>>

/** A login whose ID token has these claims. */
const withClaims = (
  what: string,
  claims: Members | ((login: ProvidedLogin) => Members),
  level?: WrongLogin['level'],
): WrongLogin => ({
  what: `An ID token ${what}`,
  script: {
    idToken: (login) => ({ claims: typeof claims === 'function' ? claims(login) : claims }),
  },
  ...(level && { level }),
})

/** A login whose ID token has the text of its claims changed in this way. */
const withText = (
  what: string,
  text: NonNullable<TokenChanges['text']>,
  level?: WrongLogin['level'],
): WrongLogin => ({ ...withToken(what, { text }), ...(level && { level }) })

/** A login whose token response has this in place of the ID token. */
const withForm = (what: string, change: NonNullable<TokenChanges['change']>): WrongLogin => ({
  what: `A token response ${what}`,
  script: { idToken: () => ({ change }) },
})

const hour = 3600

/** Claims of ID tokens. The provider's key signs all of them. */
export const checks = defineChecks<RelyingPartyContext>({
  'R30-other-issuer': {
    title: 'An ID token with another iss is rejected',
    level: 'spec',
    expectation: 'refuse',
    control: 'login',
    rows: ['1.endpoints/credential-idp.11', '1.endpoints/credential-idp.20'],
    clauses: ['OpenID Connect Core 1.0, 3.1.3.7'],
    description: 'Otherwise one provider can log in the users of another.',
    sends:
      'Logins whose ID tokens have no iss, that of another provider, near misses of the right one, a list, and true.',
    decides: 'No page shows the user. A near miss is only a WARN.',
    fix: 'Compare iss of the ID token with issuer of the discovery document, as strings, character by character.',
    run(context) {
      const { issuer } = context.provider
      const values = [
        { what: 'is a list', iss: [issuer] },
        { what: 'is true', iss: true },
        { what: 'has a slash at its end', iss: `${issuer}/` },
        { what: 'has another scheme', iss: issuer.replace(/^http:/, 'https:') },
        { what: 'lacks its path', iss: issuer.replace(/\/op$/, '') },
        { what: 'is an empty string', iss: '' },
        ...nearMissesOf(issuer).map(({ what, change }) => ({ what, iss: change(issuer) })),
      ]
      return findEachRejected(
        context,
        [
          withClaims('without iss', { iss: undefined }),
          withClaims('of another provider', { iss: 'https://attacker.example' }),
          ...values.map(({ what, iss }) => withClaims(`whose iss ${what}`, { iss }, 'final')),
        ],
        'tokenRequests',
      )
    },
  },
  'R31-other-audience': {
    title: 'An ID token for another client is rejected',
    level: 'spec',
    expectation: 'refuse',
    control: 'login',
    rows: ['1.endpoints/credential-idp.13', '1.endpoints/credential-idp.20'],
    clauses: ['OpenID Connect Core 1.0, 3.1.3.7', 'RFC 7519, 4.1.3'],
    description:
      'Every application that a user logs in to has an ID token of that user. Without this comparison each of them can log in as the user elsewhere.',
    sends:
      'Logins whose ID tokens have no aud, that of another client, near misses of the right one, lists without it; and lists with a further client, or with another client in azp.',
    decides:
      'No page shows the user. A near miss, a further audience and the azp of another client are only a WARN.',
    fix: 'Require that aud is your client_id, or a list that contains it. Reject a list with a client that you do not trust, and an azp other than your client_id.',
    run(context) {
      const { clientId } = context.target.client
      const other = 'another-client'
      const values = [
        { what: 'is an empty string', aud: '' },
        { what: 'is an empty list', aud: [] },
        { what: 'is null', aud: null },
        { what: 'is true', aud: true },
        { what: 'is a list with true', aud: [true] },
        { what: 'is a list with the client_id in another text', aud: [`not-${clientId}`] },
        { what: 'contains the client_id between spaces', aud: `${other} ${clientId}` },
        { what: 'is an object with the client_id', aud: { [clientId]: true } },
        ...changing(nearMisses, clientId).map(({ what, change }) => ({
          what,
          aud: change(clientId),
        })),
      ]
      return findEachRejected(
        context,
        [
          withClaims('without aud', { aud: undefined }),
          withClaims('for another client', { aud: other }),
          withClaims('for a list of other clients', { aud: [other, 'a-third-client'] }),
          ...values.map(({ what, aud }) => withClaims(`whose aud ${what}`, { aud }, 'final')),
          withClaims('for a further client, without azp', { aud: [clientId, other] }, 'practice'),
          withClaims(
            'for a further client, which azp names',
            { aud: [clientId, other], azp: other },
            'practice',
          ),
        ],
        'tokenRequests',
      )
    },
  },
  'R32-times': {
    title: 'An ID token that has expired or is not valid yet is rejected',
    level: 'spec',
    expectation: 'refuse',
    control: 'login',
    rows: ['1.endpoints/credential-idp.20'],
    clauses: ['OpenID Connect Core 1.0, 3.1.3.7', 'RFC 7519, 4.1.4', 'RFC 7519, 4.1.5'],
    description: 'A stolen token would be valid forever.',
    sends:
      'Logins whose ID tokens expired ten minutes, an hour or a year ago, have no exp or a string as exp, have an nbf in an hour, or have no number as iat. If the application sends max_age: without auth_time, and with one a year ago.',
    decides:
      'No page shows the user. An exp of another type, nbf, iat and auth_time are only a WARN.',
    fix: 'Require exp as a number, and reject an ID token after exp or before nbf, with a tolerance of at most five minutes. Require iat as a number and, if you send max_age, a recent auth_time.',
    async run(context) {
      const now = context.now()
      const { request } = await context.begin()
      return findEachRejected(
        context,
        [
          withClaims('that expired ten minutes ago', { exp: now - 600 }),
          withClaims('that expired an hour ago', { exp: now - hour, iat: now - 2 * hour }),
          withClaims('that expired a year ago', { exp: now - 8760 * hour, iat: now - 8761 * hour }),
          withClaims('with exp 0', { exp: 0 }),
          withClaims('with a negative exp', { exp: -now - hour }),
          withClaims('without exp', { exp: undefined }),
          withClaims('with null as exp', { exp: null }, 'final'),
          withClaims(
            'with a date as exp',
            { exp: new Date((now + hour) * 1000).toISOString() },
            'final',
          ),
          withClaims('with a word as exp', { exp: 'never' }, 'final'),
          withClaims('that is valid in an hour', { nbf: now + hour, exp: now + 2 * hour }, 'final'),
          withClaims('without iat', { iat: undefined }, 'practice'),
          withClaims('with a word as iat', { iat: 'now' }, 'practice'),
          ...(request.has('max_age')
            ? [
                withClaims('without auth_time', { auth_time: undefined }, 'practice'),
                withClaims(
                  'whose user logged in a year ago',
                  { auth_time: now - 8760 * hour },
                  'practice',
                ),
              ]
            : []),
        ],
        'tokenRequests',
      )
    },
  },
  'R33-nonce': {
    title: 'An ID token with another nonce is rejected',
    level: 'spec',
    expectation: 'refuse',
    control: 'login',
    rows: ['1.endpoints/credential-idp.18'],
    clauses: ['OpenID Connect Core 1.0, 3.1.3.7'],
    description:
      'The nonce binds an ID token to the login of this browser. Without the comparison, a stolen code or token logs in its owner elsewhere.',
    sends:
      'Logins whose ID tokens have no nonce, an empty one, another one, that of another login, that of the state, near misses, and other types.',
    decides: 'No page shows the user.',
    fix: 'If the authorization request had a nonce, require the same string in the ID token. Store it for the browser that started the login.',
    async run(context) {
      const { request } = await context.begin()
      const sample = request.get('nonce')
      const state = request.get('state')
      if (!sample) endCheck(inconclusive('The application sends no nonce: see R04.'))
      const other = (await context.begin()).request.get('nonce')
      const nonceOf = (login: ProvidedLogin) => login.request.get('nonce') ?? ''
      return findEachRejected(
        context,
        [
          withClaims('without nonce', { nonce: undefined }),
          withClaims('with another nonce', { nonce: 'this-nonce-was-never-sent' }),
          withClaims('with an empty nonce', { nonce: '' }),
          // R04 reports a nonce that is the same in each login, or the same as state.
          ...(other === sample
            ? []
            : [withClaims('with the nonce of another login', { nonce: other })]),
          ...(state === sample
            ? []
            : [
                withClaims('with the state as nonce', (login) => ({
                  nonce: login.request.get('state'),
                })),
              ]),
          ...[...nearMissesOf(sample), ...convertibleTypes].map(({ what, change }) =>
            withClaims(`whose nonce ${what}`, (login) => ({ nonce: change(nonceOf(login)) })),
          ),
        ],
        'tokenRequests',
      )
    },
  },
  'R34-subject': {
    title: 'An ID token without a sub is rejected',
    level: 'spec',
    expectation: 'refuse',
    control: 'login',
    rows: ['1.resources-and-their-fields/idp-id-token-claims.1'],
    clauses: ['OpenID Connect Core 1.0, 2'],
    description:
      'Applications identify users by sub. Users without one share an account, or are identified by an unverified email.',
    sends: 'Logins whose ID tokens have as sub nothing, null, a number, a list, an object.',
    decides: 'No page shows the user. A sub of another type is only a WARN.',
    fix: 'Require a non-empty string as sub in the ID token. Identify users by iss and sub, not by email.',
    run: (context) =>
      findEachRejected(
        context,
        [
          withClaims('without sub', { sub: undefined }),
          withClaims('with null as sub', { sub: null }),
          withClaims('with a number as sub', { sub: 7 }, 'practice'),
          withClaims('with a list as sub', { sub: ['a-person'] }, 'practice'),
          withClaims('with an object as sub', { sub: { id: 'a-person' } }, 'practice'),
        ],
        'tokenRequests',
      ),
  },
  'R35-critical-extensions': {
    title: 'An ID token with an unknown critical extension is rejected',
    level: 'final',
    expectation: 'refuse',
    control: 'login',
    clauses: ['RFC 7515, 4.1.11'],
    description: 'crit names what the recipient must understand to verify the token.',
    sends:
      'Logins whose ID tokens have crit in the header with an unknown extension and with an extension that is not there.',
    decides: 'No page shows the user.',
    fix: 'Reject an ID token whose header has crit, unless you implement each extension that it names.',
    run: (context) =>
      findEachRejected(
        context,
        [
          withToken('with an unknown critical extension', {
            header: { crit: ['https://example.org/unknown'], 'https://example.org/unknown': true },
          }),
          withToken('with a critical extension that it lacks', {
            header: { crit: ['unknown'] },
          }),
        ],
        'tokenRequests',
      ),
  },
  'R36-malformed-tokens': {
    title: 'A token response without a well-formed ID token is rejected',
    level: 'spec',
    expectation: 'refuse',
    control: 'login',
    rows: ['1.endpoints/credential-idp.20'],
    clauses: ['OpenID Connect Core 1.0, 3.1.3.3', 'RFC 7519, 4', 'RFC 7519, 7.2'],
    description:
      'Without an ID token an application does not know for which client and which login the provider issued the code.',
    sends:
      'Token responses without id_token, with null, an empty string, an object, a word, and JWTs of two, four and five parts, with a header or claims that are not a JSON object, and with exp twice, of which the last has passed.',
    decides: 'No page shows the user. A second exp is only a WARN.',
    fix: 'Require a JWT with three parts and JSON objects as id_token in the token response. If a claim is there twice, reject it or use the last one, as most parsers of JSON do.',
    run: (context) =>
      findEachRejected(
        context,
        [
          withForm('without id_token', () => undefined),
          withForm('with null as id_token', () => null),
          withForm('with an empty id_token', () => ''),
          withForm('with an object as id_token', () => ({})),
          withForm('with a word as id_token', () => 'token'),
          withForm('with an id_token of two parts', (token) =>
            token.split('.').slice(0, 2).join('.'),
          ),
          withForm('with an id_token of four parts', (token) => `${token}.e30`),
          withForm('with an id_token of five parts', (token) => `${token}.e30.e30`),
          withForm('with an id_token whose header is not JSON', (token) =>
            token.replace(/^[^.]+/, 'bm90IEpTT04'),
          ),
          withText('whose claims are a list', (claims) => `[${claims}]`),
          withText('whose claims are cut off', (claims) => claims.slice(0, -1)),
          withText(
            'with a second exp that has passed',
            (claims) => claims.replace(/}$/, ',"exp":1}'),
            'final',
          ),
        ],
        'tokenRequests',
      ),
  },
})
