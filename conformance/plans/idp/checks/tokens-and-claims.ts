import { isDeepStrictEqual } from 'node:util'
import { expectEqual, expectTrue } from '#scenarios/harness/expectations.ts'
import { broken, defineChecks, held } from '../../../kit/check.ts'
import { findRefusal, requireJson } from '../../../kit/classify-answer.ts'
import { mandate } from '../../../world/create-trust-world.ts'
import type { IdpContext } from '../context.ts'
import { readClaims, requireUserinfo, verifyIdToken } from '../read-tokens.ts'

/** What the tokens and userinfo say. */
export const checks = defineChecks<IdpContext>({
  'O09-id-token': {
    title: 'The id_token is signed with RS256 and bound to the client, the time and the nonce',
    level: 'spec',
    expectation: 'accept',
    control: 'login',
    rows: ['1.endpoints/credential-idp.20', '1.endpoints/credential-idp.18'],
    clauses: ['OpenID Connect Core 1.0, 3.1.3.7'],
    description:
      'A relying party that checks what it has to check must find every one of these, or it can only reject the login.',
    sends: 'A whole login with a nonce.',
    decides:
      'Header alg is RS256; the signature verifies with the published key; iss, aud, exp, iat and nonce are right.',
    async run(context) {
      const { nonce, tokens } = await context.logInForTokens()
      const { header, claims } = await verifyIdToken(context, tokens)
      const now = context.now()
      expectEqual('alg', header.alg, 'RS256')
      expectEqual('nonce', claims.nonce, nonce)
      expectTrue('exp lies ahead', Number(claims.exp) > now, claims.exp)
      expectTrue('iat is now', Math.abs(Number(claims.iat) - now) < 300, claims.iat)
      return held('Signature, issuer, audience, times and nonce are right.')
    },
  },
  'O10-power-is-a-string': {
    title: 'The claim power is a string that holds the serialized list',
    level: 'spec',
    expectation: 'accept',
    rows: ['1.resources-and-their-fields/idp-id-token-claims.2'],
    description:
      'Token issuers map claims of one value; a list is dropped or split by them, and with it what a person may do.',
    sends: 'A whole login.',
    decides:
      'The id_token (or userinfo) has power as a text that holds every value of the powers of the credential. Another serialization than JSON is a warning, as the profile names none.',
    async run(context) {
      const { power } = await readClaims(context)
      expectTrue('power is a string', typeof power === 'string', power)
      const text = String(power)
      const lost = valuesOf(mandate.power).filter((value) => !text.includes(value))
      expectEqual('what power lacks of the credential', lost, [])
      return isDeepStrictEqual(parseJson(text), mandate.power)
        ? held('power is the serialized list.')
        : broken('power is not the list of powers as JSON.', { actual: text, level: 'practice' })
    },
  },
  'O11-claims': {
    title: 'All documented claims reach the relying party',
    level: 'spec',
    expectation: 'accept',
    rows: ['1.resources-and-their-fields/idp-id-token-claims.1'],
    description: 'What the credential says of a person is what the relying party decides by.',
    sends: 'A whole login with the scopes of the target.',
    decides:
      'id_token and userinfo together hold every documented claim, and organization_identifier as the credential has it. Other values than those of the credential are a warning, as mappers are configured.',
    async run(context) {
      const claims = await readClaims(context)
      const { mandator, mandatee } = mandate
      const names = ['sub', 'name', 'preferred_username', 'user_identifier', 'power']
      const due = {
        organization_identifier: mandator.organizationIdentifier,
        email: mandatee.email,
        given_name: mandatee.firstName,
        family_name: mandatee.lastName,
        organization: mandator.organization,
      }
      const isMissing = (name: string) => [undefined, null, ''].includes(claims[name] as string)
      expectEqual('missing claims', [...names, ...Object.keys(due)].filter(isMissing), [])
      const { organization_identifier } = claims
      expectEqual('organization_identifier', organization_identifier, due.organization_identifier)
      const others = Object.entries(due).filter(([name, value]) => claims[name] !== value)
      return others.length === 0
        ? held('Every documented claim is there.')
        : broken(`Not as in the credential: ${others.map(([name]) => name).join(', ')}`, {
            expected: due,
            actual: claims,
            level: 'practice',
          })
    },
  },
  'O12-userinfo': {
    title: 'userinfo needs a Bearer token and is about the same subject as the id_token',
    level: 'spec',
    expectation: 'accept',
    control: 'login',
    rows: ['1.endpoints/credential-idp.6', '1.authentication.4'],
    clauses: ['OpenID Connect Core 1.0, 5.3.2'],
    description: 'Claims of another subject are claims about another person.',
    sends: 'GET userinfo without a token, then with the access token of a login.',
    decides:
      'Refused without; with it 200 and the sub of the id_token. A refusal other than 401 is a warning.',
    async run(context) {
      const url = await context.endpoint('userinfo_endpoint')
      const http = context.httpAs('relying-party')
      const what = 'userinfo without a token'
      const finding = findRefusal(await http.request(url), {
        what,
        statuses: [401],
        statusLevel: 'practice',
      })
      if (finding.kind !== 'held') return finding
      const { tokens } = await context.logInForTokens()
      const { claims } = await verifyIdToken(context, tokens)
      const headers = { authorization: `Bearer ${tokens.access_token}` }
      const info = requireJson(await http.request(url, { headers }), 'userinfo')
      expectEqual('sub', info.sub, claims.sub)
      return held('userinfo is closed without a token, and about the same subject with it.')
    },
  },
  'O13-userinfo-with-id-token': {
    title: 'userinfo refuses an id_token in place of the access token',
    level: 'spec',
    expectation: 'refuse',
    rows: ['1.endpoints/credential-idp.6'],
    clauses: ['OpenID Connect Core 1.0, 5.3.1', 'RFC 6750, 3.1'],
    description: 'id_tokens are handed around as proof of a login; they must open nothing.',
    sends: 'GET userinfo with the access token of a login, then with its id_token.',
    decides: 'The first is answered, the second refused; a status other than 401 is a warning.',
    async run(context) {
      const { url, tokens } = await requireUserinfo(context)
      const headers = { authorization: `Bearer ${tokens.id_token}` }
      const answer = await context.httpAs('relying-party').request(url, { headers })
      return findRefusal(answer, {
        what: 'userinfo with an id_token',
        statuses: [401],
        statusLevel: 'practice',
      })
    },
  },
  'O15-jwks': {
    title: 'The key of the id_token is in the published key set, by its kid',
    level: 'spec',
    expectation: 'accept',
    control: 'login',
    rows: ['1.endpoints/credential-idp.7'],
    clauses: ['OpenID Connect Core 1.0, 10.1'],
    description: 'Relying parties find the key by kid; after a rotation there are several.',
    sends: 'A login, and GET jwks_uri.',
    decides:
      'One RSA key of the set has the kid of the id_token, which only a set of one key may do without, and no key has private members.',
    async run(context) {
      const { endpoint, httpAs, logInForTokens } = context
      const answer = await httpAs('relying-party').request(await endpoint('jwks_uri'))
      const { keys: published } = requireJson(answer, 'jwks_uri')
      const keys = [published].flat().filter(isKey)
      if (keys.length === 0) return broken('jwks_uri has no keys.', { actual: published })
      const names = keys.flatMap((key) => Object.keys(key))
      const secret = names.filter((name) => /^(d|p|q|dp|dq|qi|k)$/.test(name))
      expectEqual('private members of the published keys', secret, [])
      const { tokens } = await logInForTokens()
      const { header } = await verifyIdToken(context, tokens)
      // With one key alone there is nothing to tell apart.
      const named =
        header.kid === undefined && keys.length === 1 ? keys : keysNamed(keys, header.kid)
      expectEqual(
        'kty of the keys with its kid',
        named.map(({ kty }) => kty),
        ['RSA'],
      )
      return held('The key is there, by its kid, and nothing private with it.')
    },
  },
  'O25-garbage-token': {
    title: 'userinfo answers a garbage token with 401 and WWW-Authenticate',
    level: 'practice',
    expectation: 'refuse',
    clauses: ['RFC 6750, 3'],
    description:
      'Client libraries go by the header to tell a token that has ended from a fault of the server.',
    sends: 'GET userinfo with the access token of a login, then with a token that is none.',
    decides: 'The second answer is 401 with WWW-Authenticate: Bearer and error invalid_token.',
    async run(context) {
      const { url } = await requireUserinfo(context)
      const headers = { authorization: 'Bearer this.is.nothing' }
      const answer = await context.httpAs('relying-party').request(url, { headers })
      const finding = findRefusal(answer, { what: 'A garbage token', statuses: [401] })
      if (finding.kind !== 'held') return finding
      const actual = answer.headers.get('www-authenticate') ?? 'none'
      return /^Bearer\b.*error="?invalid_token/i.test(actual)
        ? held('401 with WWW-Authenticate: Bearer, error invalid_token.')
        : broken('The 401 has no WWW-Authenticate: Bearer error="invalid_token".', { actual })
    },
  },
  'O34-id-token-is-for-one-client': {
    title: 'The id_token is about the client that asked, and no other',
    level: 'practice',
    expectation: 'accept',
    control: 'second-login',
    clauses: ['OpenID Connect Core 1.0, 2'],
    description: 'An id_token that two clients take logs a person in where she never was.',
    sends: 'A login of the second client.',
    decides: 'aud is the second client alone.',
    needs: ['second-client'],
    async run(context) {
      const { logInForTokens, target } = context
      const { secondClient: party = target.client } = target
      const { tokens } = await logInForTokens({ party })
      const { claims } = await verifyIdToken(context, tokens, party)
      expectEqual('aud', [claims.aud].flat(), [party.clientId])
      return held('aud is the client that asked.')
    },
  },
})

/** Every text somewhere in a value. */
function valuesOf(value: unknown): string[] {
  if (typeof value === 'string') return [value]
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(valuesOf) : []
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

const isKey = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null

const keysNamed = (keys: readonly Record<string, unknown>[], kid: unknown) =>
  keys.filter((key) => kid !== undefined && key.kid === kid)
