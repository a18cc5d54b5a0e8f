import { createHash } from 'node:crypto'
import { decodeJwt, decodeProtectedHeader } from 'jose'
import { expectEqual, expectTrue } from '#scenarios/harness/expectations.ts'
import { pollUntil } from '#scenarios/harness/waiting.ts'
import { createAccount } from '#wallet-emulator/keys/create-account.ts'
import { broken, defineChecks, type Finding, held, inconclusive } from '../../../kit/check.ts'
import { asPremise, requireFinding, requireJson } from '../../../kit/classify-answer.ts'
import { findEach } from '../../../kit/find-each.ts'
import { mandate } from '../../../world/create-trust-world.ts'
import type { IdpContext, TokenAnswer } from '../context.ts'
import { person } from '../person.ts'
import { type Claims, isJwt, readUserinfo, verifyIdToken } from '../read-tokens.ts'

const tolerance = 60

/** Seconds between the creation of a token and the header Date of its response, at most. */
const dateTolerance = 10

const unknownScope = 'unknown-scope'

/** Claims that only these scopes give, by the name of the scope. */
const claimsOfScopes = {
  profile: ['given_name', 'family_name'],
  email: ['email'],
  'openid-vp-lear': ['power', 'organization_identifier'],
}

/** What tokens say about the login, and what they still say after it is renewed or revoked. */
export const checks = defineChecks<IdpContext>({
  'O69-claims-about-the-login': {
    title: 'The claims about the login in the id_token are consistent',
    level: 'final',
    expectation: 'accept',
    control: 'login',
    needs: ['wallet-login'],
    clauses: ['OpenID Connect Core 1.0, 2', 'OpenID Connect Core 1.0, 3.1.3.8', 'RFC 7519, 4.1.5'],
    description:
      'Relying parties reject an id_token whose claims contradict each other, its access token or the time of the login.',
    sends:
      'A login with max_age, and one of a person whose employeeId is long and has letters of other scripts.',
    decides:
      'exp is after iat, auth_time is present and not after iat, sub has 1 to 255 ASCII characters, and iat and nbf are not after Date of the token response. If present, at_hash, c_hash and azp are those of the access token, the code and the client, amr is a list of strings, and acr a string.',
    fix: 'Set iat, and nbf if any, to the current time, auth_time to that of the presentation, at_hash to the left half of the SHA-256 of the access token in base64url, and azp, if any, to client_id. Use at most 255 ASCII characters for sub.',
    async run(context) {
      const before = context.now()
      const login = await context.logIn({ parameters: { max_age: '600' } })
      const { client } = context.target
      const answer = await context.requestTokens(context.codeForm(login), client)
      const tokens = requireJson(answer, 'The token request')
      const { claims } = await verifyIdToken(context, tokens)
      const { iat, exp, nbf = iat, auth_time: authTime, azp } = claims
      requireShortSub(claims)
      expectTrue('exp is after iat', Number(exp) > Number(iat), { iat, exp })
      expectTrue('auth_time is a whole number', Number.isInteger(authTime), authTime)
      const isDuringLogin =
        Number(authTime) <= Number(iat) && Number(authTime) >= before - tolerance
      expectTrue('auth_time is the time of the login', isDuringLogin, { authTime, before, iat })
      // By the clock of the IDP itself, which may differ from that of the kit.
      const sentAt = Date.parse(answer.headers.get('date') ?? '') / 1000
      for (const [name, time] of Object.entries({ iat, nbf })) {
        const isLater = Number(time) > sentAt + dateTolerance
        expectTrue(`${name} is not after Date of the response, ${sentAt}`, !isLater, time)
      }
      if (azp !== undefined) expectEqual('azp', azp, client.clientId)
      const { at_hash: hash, c_hash: codeHash = leftHalfOf(login.code) } = claims
      if (hash !== undefined) expectEqual('at_hash', hash, hashOf(tokens))
      expectEqual('c_hash', codeHash, leftHalfOf(login.code))
      const { amr = [], acr = '' } = claims
      const isList = Array.isArray(amr) && amr.every((each) => typeof each === 'string')
      expectTrue('amr is a list of strings', isList, amr)
      expectEqual('the type of acr', typeof acr, 'string')
      const presentation = person({ employeeId: 'Núñez "7" 人 '.repeat(20) })
      const other = await context.logInForTokens({ presentation }).catch(requireFinding)
      // An IDP may reject such an employeeId.
      if ('tokens' in other) requireShortSub((await verifyIdToken(context, other.tokens)).claims)
      return held('The claims are consistent.')
    },
  },
  'O70-access-token': {
    title:
      'The access token is a signed JWT of the IDP, ends after expires_in and differs from id_tokens',
    level: 'practice',
    expectation: 'accept',
    control: 'login',
    needs: ['wallet-login'],
    rows: ['1.endpoints/credential-idp.20', '1.limits.2'],
    clauses: ['RFC 8725, 3.12'],
    description:
      'Services verify access tokens with the published keys. An expires_in that is too long lets clients use a token that has ended. A service that cannot distinguish the two accepts an id_token instead.',
    sends: 'A login, and GET jwks_uri.',
    decides:
      'The access token has an alg other than none, the kid of a published key (optional if there is only one), iss, the sub of the id_token, and an exp that is expires_in from now. It differs from an id_token: in typ, or its aud does not contain client_id.',
    fix: 'Sign access tokens with a key at jwks_uri under its kid. Set typ to at+jwt, iss to issuer, sub to that of the id_token, and expires_in to the seconds until exp.',
    async run(context) {
      const { tokens } = await context.logInForTokens()
      const token = String(tokens.access_token)
      if (!/^[\w-]+\.[\w-]+\.[\w-]+$/.test(token)) {
        return inconclusive('The access token is not a JWT: see O02.')
      }
      const { claims, header } = await verifyIdToken(context, tokens)
      const { keys } = await asPremise(
        'jwks_uri (see O15)',
        context
          .httpAs('relying-party')
          .request(await context.endpoint('jwks_uri'))
          .then((answer) => requireJson(answer, 'jwks_uri')),
      )
      const { alg, kid, typ } = decodeProtectedHeader(token)
      const { iss, sub, aud, exp = 0, iat = 0 } = decodeJwt(token)
      const kids = [keys].flat().map((key) => Object(key).kid)
      expectTrue('alg is that of a signature', typeof alg === 'string' && alg !== 'none', alg)
      expectTrue('kid is published', kids.includes(kid) || kids.length === 1, { kid, kids })
      expectTrue('typ differs from that of other tokens', typ !== 'openid4vci-proof+jwt', typ)
      const isForClient = [aud].flat().includes(context.target.client.clientId)
      const isAlike =
        String(typ ?? 'JWT').toLowerCase() === String(header.typ ?? 'JWT').toLowerCase()
      expectTrue('typ or aud differ from those of the id_token', !(isForClient && isAlike), {
        typ,
        aud,
      })
      expectEqual('iss', iss, (await context.discover()).issuer)
      expectEqual('sub', sub, claims.sub)
      const left = exp - context.now()
      const { expires_in: announced } = tokens
      expectTrue('iat is now', Math.abs(iat - context.now()) <= tolerance, iat)
      expectTrue('expires_in is positive', Number(announced) > 0, announced)
      expectTrue('exp is expires_in from now', Math.abs(left - Number(announced)) <= tolerance, {
        left,
        announced,
      })
      return held('The access token is consistent with the id_token and expires_in.')
    },
  },
  'O71-claims-follow-scopes': {
    title: 'A login returns only the claims of its scopes',
    level: 'practice',
    expectation: 'accept',
    control: 'login',
    needs: ['wallet-login'],
    clauses: ['OpenID Connect Core 1.0, 5.4', 'RFC 6749, 5.1'],
    description:
      'A relying party that needs only to recognize a person must not get their powers and their email address.',
    sends: `Logins of a person with the scopes openid profile, openid email, openid, and openid ${unknownScope}.`,
    decides:
      'id_token and userinfo have none of the claims of other scopes, not even inside an object, and with the scope email they have email. If scope of the access token, a JWT, differs from that of the request, the token response has the same scope.',
    fix: 'Store the scopes with the code and the tokens. Map only the claims of the granted scopes, in the id_token and at userinfo. Return scope in the token response if it is not the requested one.',
    async run(context) {
      // The widest first: a later login must not get what an earlier one was granted.
      const finding = await findEach(
        ['openid profile', 'openid email', 'openid'],
        async (scope) => {
          const login = context.logInForTokens({ parameters: { scope } })
          const { tokens } = await asPremise('a login (see O02)', login)
          const { claims } = await verifyIdToken(context, tokens)
          const all: Readonly<Record<string, unknown>> = {
            ...claims,
            ...(await readUserinfo(context, tokens)),
          }
          const found = Object.entries(claimsOfScopes)
            .filter(([name]) => !scope.includes(name))
            .flatMap(([, names]) => names.filter((name) => all[name] !== undefined))
          if (found.length > 0) {
            return broken(`A login with the scope ${scope} returned ${found.join(', ')}.`, {
              actual: found,
            })
          }
          // Inside another claim, such as the whole credential. sub may contain it.
          const { organizationIdentifier: identifier } = mandate.mandator
          const nested = Object.values(all).filter(isStructured)
          if (JSON.stringify(nested).includes(identifier)) {
            const reason = `A login with the scope ${scope} returned the identifier of the organization.`
            return broken(reason, { actual: all })
          }
          const misreported = findMisreported(tokens, scope)
          if (misreported.length > 0) {
            const reason = `The token response for the scope ${scope} and its access token differ in ${misreported.join(', ')}.`
            return broken(reason, { actual: tokens.scope })
          }
          return scope.includes('email') && typeof all.email !== 'string'
            ? broken('A login with the scope email returned no email.', {
                actual: Object.keys(all),
              })
            : held(`A login with the scope ${scope} returned no other claims.`)
        },
      )
      return finding.kind === 'held' ? ((await findUnreported(context)) ?? finding) : finding
    },
  },
  'O72-renewal': {
    title: 'A refresh token renews the login of the same person',
    level: 'final',
    expectation: 'accept',
    control: 'login',
    needs: ['wallet-login'],
    clauses: ['RFC 6749, 6', 'OpenID Connect Core 1.0, 12.2'],
    description:
      'The relying party continues the session of a person. Another subject, audience or issuer would be that of another person.',
    sends:
      'A login with max_age, renewals until a second has passed, another one with the scope openid, one without scope, and GET userinfo.',
    decides:
      'Each renewal returns a usable access token. Its id_token, if any, has the same iss, sub, aud, auth_time and azp, a later iat, and, if present, the same nonce and the at_hash of the new access token. With the scope openid, neither has claims of other scopes; the last renewal gives all claims again.',
    fix: 'Store subject, client, scopes and auth_time with the refresh token, and create the new tokens from them, with iat of the renewal and at_hash of the new access token. Grant a narrower scope if the request names one, but keep that of the refresh token.',
    async run(context) {
      const { logInForTokens, requestTokens, target } = context
      const parameters = { max_age: '600' }
      const { tokens } = await asPremise('a login (see O02)', logInForTokens({ parameters }))
      const before = await readUserinfo(context, tokens)
      const first = (await verifyIdToken(context, tokens)).claims
      let latest = tokens.refresh_token
      const renew = async (more: Readonly<Record<string, string>> = {}) => {
        const form = { grant_type: 'refresh_token', refresh_token: String(latest), ...more }
        const answer = requireJson(await requestTokens(form, target.client), 'A renewal')
        latest = answer.refresh_token ?? latest
        const claims =
          answer.id_token === undefined ? undefined : (await verifyIdToken(context, answer)).claims
        return { answer, claims }
      }
      // Times are in seconds: those of a renewal in the same second prove nothing.
      const { answer: renewed, claims } = await pollUntil({
        ask: renew,
        isDone: (renewal) => !renewal.claims || Number(renewal.claims.iat) > Number(first.iat),
        limitMilliseconds: 3000,
        signal: context.signal,
      })
      expectEqual('token_type', String(renewed.token_type).toLowerCase(), 'bearer')
      const isNew = renewed.access_token !== tokens.access_token
      expectTrue('there is a new access token', isNew || lacksId(tokens))
      expectEqual('userinfo after the renewal', await readUserinfo(context, renewed), before)
      if (claims) {
        for (const name of ['iss', 'sub', 'aud', 'azp']) {
          expectEqual(name, claims[name], first[name])
        }
        // O69 finds that the first id_token lacks auth_time.
        if (first.auth_time !== undefined && claims.auth_time !== undefined) {
          expectEqual('auth_time', claims.auth_time, first.auth_time)
        }
        if (claims.nonce !== undefined) expectEqual('nonce', claims.nonce, first.nonce)
        const { at_hash: hash } = claims
        if (hash !== undefined) expectEqual('at_hash', hash, hashOf(renewed))
        const isLater = Number(claims.iat) > Number(first.iat)
        expectTrue(`iat is later than ${first.iat}, that of the login`, isLater, claims.iat)
      }
      const { answer: fewer, claims: inToken } = await renew({ scope: 'openid' })
      const narrow = await readUserinfo(context, fewer)
      expectEqual('sub with fewer scopes', narrow.sub, before.sub)
      const all: TokenAnswer = { ...inToken, ...narrow }
      const kept = ['email', 'power'].filter((name) => all[name] !== undefined)
      const { answer: last } = await renew()
      const what = 'userinfo after a renewal without scope that follows one with the scope openid'
      expectEqual(what, await readUserinfo(context, last), before)
      return kept.length === 0
        ? held('The renewed tokens are those of the same person.')
        : broken(`A renewal with the scope openid still gives ${kept.join(', ')}.`, {
            actual: kept,
            level: 'practice',
          })
    },
  },
  'O74-userinfo-by-both-methods': {
    title: 'userinfo returns the same JSON object for GET and POST',
    level: 'final',
    expectation: 'accept',
    control: 'login',
    needs: ['wallet-login'],
    clauses: ['OpenID Connect Core 1.0, 5.3.1', 'OpenID Connect Core 1.0, 5.3.2'],
    description: 'Client libraries use one or the other.',
    sends:
      'GET and POST userinfo with the access token of a login, and with the scheme in lower case.',
    decides:
      'Each response has 200, application/json and the same claims with sub; a response that may be cached is a warning.',
    fix: 'Serve GET and POST at userinfo with application/json and Cache-Control: no-store. Compare the scheme Bearer without regard to case.',
    async run(context) {
      const { tokens } = await asPremise('a login (see O02)', context.logInForTokens())
      const { claims } = await verifyIdToken(context, tokens)
      const url = await context.endpoint('userinfo_endpoint')
      const requests = [
        { what: 'GET userinfo', method: 'GET', scheme: 'Bearer' },
        { what: 'POST userinfo', method: 'POST', scheme: 'Bearer' },
        { what: 'GET userinfo with bearer', method: 'GET', scheme: 'bearer' },
      ]
      let first: unknown
      return findEach(requests, async ({ what, method, scheme }) => {
        const headers = { authorization: `${scheme} ${tokens.access_token}` }
        const answer = await context.httpAs('relying-party').request(url, { method, headers })
        const body = requireJson(answer, what)
        expectEqual(`sub of ${what}`, body.sub, claims.sub)
        first ??= body
        expectEqual(`the claims of ${what}`, body, first)
        const { contentType } = answer
        expectTrue(
          `${what} is application/json`,
          /^application\/json\b/i.test(contentType),
          contentType,
        )
        const cached = answer.headers.get('cache-control') ?? 'none'
        return /\b(no-store|private|no-cache)\b/.test(cached)
          ? held(`${what} returns the claims.`)
          : broken(`${what} may be cached.`, { actual: cached, level: 'practice' })
      })
    },
  },
  'O75-subject-types': {
    title: 'sub at two clients matches the advertised subject type',
    level: 'final',
    expectation: 'accept',
    control: 'login',
    needs: ['wallet-login', 'second-client'],
    clauses: ['OpenID Connect Core 1.0, 8'],
    description:
      'With public subjects, clients recognize the same person. With pairwise ones they cannot. Each relies on what is advertised.',
    sends: 'Logins of the same person with the same wallet at both clients.',
    decides:
      'If the discovery document advertises only public, sub is the same at both; if it advertises only pairwise, it differs. Otherwise the check is inconclusive.',
    fix: 'Set subject_types_supported to what you do: public if sub depends only on the person, pairwise if it also depends on the client.',
    async run(context) {
      const { subject_types_supported: announced } = await context.discover()
      const types = [announced].flat()
      const [type] = types
      if (types.length !== 1 || (type !== 'public' && type !== 'pairwise')) {
        return inconclusive('The discovery document does not advertise exactly one subject type.')
      }
      const { client, secondClient = client } = context.target
      const presentation = { account: createAccount() }
      const subjectAt = async (party: typeof client) => {
        const login = context.logInForTokens({ presentation, party })
        const { tokens } = await asPremise('a login (see O02)', login)
        return (await verifyIdToken(context, tokens, party)).claims.sub
      }
      const [one, other] = [await subjectAt(client), await subjectAt(secondClient)]
      const isSame = one === other
      return isSame === (type === 'public')
        ? held(`sub is ${type}.`)
        : broken(`sub is not ${type}.`, { actual: [one, other] })
    },
  },
})

/** A login with an unknown scope whose response does not say that it was left out. */
async function findUnreported({ logInForTokens }: IdpContext): Promise<Finding | undefined> {
  const parameters = { scope: `openid ${unknownScope}` }
  // An IDP may also reject unknown scopes: see O59.
  const login = await logInForTokens({ parameters }).catch(requireFinding)
  if (!('tokens' in login)) return undefined
  const { access_token: token, scope } = login.tokens
  const granted = scopeOf(token)
  if (granted === undefined || granted.split(' ').includes(unknownScope)) return undefined
  return scope === undefined
    ? broken(`The token response does not say that the scope is only ${granted}.`, {
        actual: Object.keys(login.tokens),
      })
    : undefined
}

/** The scope of an access token; undefined if it is not a JWT with one. */
function scopeOf(token: unknown): string | undefined {
  const { scope } = isJwt(String(token)) ? decodeJwt(String(token)) : {}
  return typeof scope === 'string' ? scope : undefined
}

/**
 * What an access token has in addition to the requested scope and the response does not report, or
 * the reverse. A server may grant a scope that was not requested, but must say so: RFC 6749, 3.3.
 */
function findMisreported({ access_token: token, scope }: TokenAnswer, asked: string): string[] {
  const granted = scopeOf(token)
  if (granted === undefined) return []
  const requested = asked.split(' ')
  const reported = String(scope ?? asked).split(' ')
  const inToken = granted.split(' ')
  return [...new Set([...reported, ...inToken])].filter(
    (each) => !requested.includes(each) && reported.includes(each) !== inToken.includes(each),
  )
}

/** Whether a claim is an object, or one as a string. */
const isStructured = (claim: unknown): boolean =>
  typeof claim === 'object' || (typeof claim === 'string' && /^\s*[{[]/.test(claim))

const requireShortSub = ({ sub }: Claims): void =>
  expectTrue('sub has 1 to 255 ASCII characters', /^[\x20-\x7e]{1,255}$/.test(String(sub)), sub)

/** Whether an access token is a JWT without jti: two of the same second are then equal. */
const lacksId = ({ access_token }: TokenAnswer): boolean => {
  const payload = Buffer.from(String(access_token).split('.')[1] ?? '', 'base64url').toString()
  return payload.startsWith('{') && !payload.includes('"jti"')
}

/** at_hash of the access token of an answer, for RS256: OpenID Connect Core 1.0, 3.1.3.6. */
const hashOf = ({ access_token }: TokenAnswer): string => leftHalfOf(String(access_token))

/** The left half of the SHA-256 of a string, as at_hash and c_hash have it. */
const leftHalfOf = (text: string): string =>
  createHash('sha256').update(text).digest().subarray(0, 16).toString('base64url')
