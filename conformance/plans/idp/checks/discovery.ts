import { expectEqual, expectTrue } from '#scenarios/harness/expectations.ts'
import type { HttpAnswer } from '#scenarios/harness/http-client.ts'
import {
  broken,
  defineChecks,
  type Finding,
  held,
  inconclusive,
  wronglyAccepted,
} from '../../../kit/check.ts'
import {
  asPremise,
  findRefusal,
  requireAnswer,
  requireFinding,
  requireJson,
} from '../../../kit/classify-answer.ts'
import { findEach, requireEach } from '../../../kit/find-each.ts'
import type { IdpContext, TokenAnswer } from '../context.ts'
import { privateMembers, tamperWith } from '../read-tokens.ts'
import type { IdpParty } from '../z-target.ts'

const unknownToken = 'nobody-was-given-this-token'

/** Seconds: RFC 7519 tolerates a few minutes, and some libraries five. */
const tolerance = 360

/** Members of the discovery document that are lists of strings. */
const lists = [
  'scopes_supported',
  'response_types_supported',
  'response_modes_supported',
  'grant_types_supported',
  'subject_types_supported',
  'id_token_signing_alg_values_supported',
  'token_endpoint_auth_methods_supported',
  'introspection_endpoint_auth_methods_supported',
  'revocation_endpoint_auth_methods_supported',
  'code_challenge_methods_supported',
  'claims_supported',
  'claim_types_supported',
  'acr_values_supported',
  'display_values_supported',
  'prompt_values_supported',
  'claims_locales_supported',
  'ui_locales_supported',
]

const other = 'attacker.example'

const day = 86_400

const switches = [
  'claims_parameter_supported',
  'request_parameter_supported',
  'request_uri_parameter_supported',
  'require_request_uri_registration',
  'authorization_response_iss_parameter_supported',
]

const addresses = [
  'authorization_endpoint',
  'token_endpoint',
  'userinfo_endpoint',
  'jwks_uri',
  'end_session_endpoint',
  'registration_endpoint',
  'introspection_endpoint',
  'revocation_endpoint',
  'device_authorization_endpoint',
  'pushed_authorization_request_endpoint',
]

/**
 * Discovery document and key set, member by member, and endpoints that the profile does not have: if
 * an IDP announces them, clients use them.
 */
export const checks = defineChecks<IdpContext>({
  'O76-members-of-discovery': {
    title: 'Each member of the discovery document has its type',
    level: 'final',
    expectation: 'accept',
    clauses: ['OpenID Connect Discovery 1.0, 3'],
    description:
      'Client libraries validate the document before the first login. One member of a wrong type makes it unusable.',
    sends:
      'GET /.well-known/openid-configuration, and with the headers X-Forwarded-Host and Forwarded.',
    decides:
      'It is application/json. Known members are lists of different strings, booleans or addresses without fragment, with https if issuer has it; subject_types_supported is present; the client authentication of the target is advertised. Addresses from headers for proxies are a warning.',
    fix: 'Use JSON lists of strings for members that end in _supported and name values, booleans for the others, and absolute addresses for endpoints, with the scheme of issuer. Add subject_types_supported.',
    async run({ baseUrl, endpoint, httpAs, target }) {
      // Without it O01 fails.
      await endpoint('authorization_endpoint')
      const url = `${baseUrl}/.well-known/openid-configuration`
      const answer = await httpAs('relying-party').request(url)
      const document = requireJson(answer, 'The discovery document')
      const { contentType } = answer
      expectTrue('it is application/json', /^application\/json\b/i.test(contentType), contentType)
      for (const name of lists) {
        const value = document[name]
        if (value === undefined) continue
        const isList =
          Array.isArray(value) &&
          value.every((each) => typeof each === 'string' && each !== '') &&
          new Set(value).size === value.length
        expectTrue(`${name} is a list of different strings`, isList, value)
      }
      for (const name of switches) {
        const type = typeof (document[name] ?? false)
        expectEqual(`the type of ${name}`, type, 'boolean')
      }
      const scheme = schemeOf(document.issuer)
      for (const name of addresses) {
        const value = document[name]
        if (value === undefined) continue
        const isAddress =
          typeof value === 'string' && /^https?:/.test(value) && !value.includes('#')
        expectTrue(`${name} is an address`, isAddress && URL.canParse(String(value)), value)
        // A proxy that ends TLS, and an IDP that does not know it.
        if (scheme === 'https:') expectEqual(`the scheme of ${name}`, schemeOf(value), scheme)
      }
      const subjects = [document.subject_types_supported].flat()
      const isKnown = subjects.every((each) => each === 'public' || each === 'pairwise')
      expectTrue('subject_types_supported is public or pairwise', isKnown, subjects)
      const used =
        target.clientAuthentication === 'basic' ? 'client_secret_basic' : 'client_secret_post'
      const methods = [
        document.token_endpoint_auth_methods_supported ?? 'client_secret_basic',
      ].flat()
      expectTrue(
        `token_endpoint_auth_methods_supported has ${used}`,
        methods.includes(used),
        methods,
      )
      const claims = [document.claims_supported ?? 'sub'].flat()
      expectTrue('claims_supported has sub', claims.includes('sub'), claims)
      const headers = { 'x-forwarded-host': other, forwarded: `host=${other}` }
      const { text } = await httpAs('relying-party').request(url, { headers })
      if (text.includes(other)) {
        const reason = 'The document has addresses from X-Forwarded-Host or Forwarded.'
        return broken(reason, { actual: text, level: 'practice' })
      }
      return held('Each member has its type.')
    },
  },
  'O77-members-of-keys': {
    title: 'Each published key is a public RSA key of 2048 bits or more for RS256',
    level: 'final',
    expectation: 'accept',
    clauses: ['RFC 7518, 3.3', 'RFC 7518, 6.3.1', 'RFC 7517, 9.2', 'OpenID Connect Core 1.0, 10.1'],
    description:
      'Relying parties trust every key of the set. A short key can be broken, and two keys with one kid make verification a matter of chance.',
    sends: 'GET jwks_uri',
    decides:
      'keys is a list that is not empty. Each RSA key has n of at least 2048 bits and e, both in base64url without padding or leading zeros, use sig (if present) and alg RS256 (if it is for signatures of id_tokens). No kid occurs twice, and no key has private members. A max-age of more than a day is a warning.',
    fix: 'Publish RSA keys of 2048 bits or more with different kids, use sig and alg RS256. Publish only kty, n, e, kid, use and alg. Encode n and e in base64url without = and without zero octets in front. Let clients store the set for a day at most.',
    async run({ endpoint, httpAs }) {
      const answer = await httpAs('relying-party').request(await endpoint('jwks_uri'))
      const { keys: published } = requireJson(answer, 'jwks_uri')
      expectTrue('keys is a list', Array.isArray(published) && published.length > 0, published)
      const keys = [published].flat().map((key) => ({ ...(key as Record<string, unknown>) }))
      const kids = keys.map(({ kid }) => kid).filter((kid) => kid !== undefined)
      expectEqual('kids that occur twice', kids.length - new Set(kids).size, 0)
      const secret = keys.flatMap(Object.keys).filter((name) => privateMembers.has(name))
      expectEqual('private members', secret, [])
      const ofRsa = keys.filter(({ kty }) => kty === 'RSA')
      expectTrue('there is an RSA key', ofRsa.length > 0)
      for (const { kid, n, e, use = 'sig', alg = 'RS256' } of ofRsa) {
        const bits = Buffer.from(String(n), 'base64url').length * 8
        expectTrue(`the key ${kid} has 2048 bits`, bits >= 2048, bits)
        for (const [name, value] of Object.entries({ n, e })) {
          const isNumber = /^(?!A[A-P])[\w-]+$/.test(String(value ?? ''))
          expectTrue(`${name} of the key ${kid} is a Base64urlUInt`, isNumber, value)
        }
        if (use === 'sig')
          expectTrue(`alg of ${kid}`, /^(RS|PS)(256|384|512)$/.test(String(alg)), alg)
      }
      const forIdTokens = ofRsa.filter(
        ({ use = 'sig', alg = 'RS256' }) => use === 'sig' && alg === 'RS256',
      )
      expectTrue(
        'there is a key for RS256',
        forIdTokens.length > 0,
        ofRsa.map(({ alg }) => alg),
      )
      const cached = answer.headers.get('cache-control') ?? ''
      const seconds = Number(/max-age=(\d+)/i.exec(cached)?.[1] ?? 0)
      return seconds <= day
        ? held(`${keys.length} keys have the right members.`)
        : broken(
            'Clients may store the key set for more than a day: a new key is unknown to them.',
            {
              actual: cached,
              level: 'practice',
            },
          )
    },
  },
  'O94-introspection': {
    title:
      'An advertised introspection_endpoint requires credentials and knows which tokens are active',
    level: 'final',
    expectation: 'refuse',
    clauses: ['RFC 7662, 2.1', 'RFC 7662, 2.2', 'RFC 7662, 4'],
    description:
      'Services that rely on it serve every token that it calls active. Without credentials, anyone can try tokens and read whose they are.',
    sends:
      'If the discovery document has introspection_endpoint: a made-up token, also without credentials and with a wrong secret; tokens of logins that are changed, whose code was used twice, and after expires_in.',
    decides:
      'The made-up token is answered with 200 and active false. Requests without the correct credentials are rejected. No changed or expired token is active, and none of a reused code that userinfo or the token endpoint rejects. Additional members about a made-up token are a warning.',
    fix: 'Authenticate the client at the introspection endpoint. Verify signature, expiry and revocation of the token as userinfo does. If anything fails or the token is unknown, return 200 with only active false.',
    async run(context) {
      const { target, requestTokens, codeForm } = context
      const { client } = target
      const at = 'introspection_endpoint'
      if (!(await announces(context, at))) return notAnnounced(at)
      const introspect = (token: unknown, party?: IdpParty) =>
        requestTokens({ token: String(token) }, party, { at })
      const isActive = async (token: unknown) => {
        const { json } = await introspect(token, client)
        return (json as { active?: unknown } | undefined)?.active === true
      }
      const known = await introspect(unknownToken, client)
      if (isForbidden(known)) return forbidden(at)
      const answer = requireJson(known, 'The introspection of an unknown token')
      expectEqual('active of an unknown token', answer.active, false)
      const strangers = await findStrangers(context, (party) => introspect(unknownToken, party))
      if (strangers.kind !== 'held') return strangers
      if (Object.keys(answer).length > 1) {
        const reason = 'The response to an unknown token has more than active.'
        return broken(reason, { actual: answer, level: 'practice' })
      }
      const login = await context.logInForTokens().catch(requireFinding)
      if (!('tokens' in login)) return strangers
      const { access_token: token } = login.tokens
      const forged = tamperWith(String(token)).filter((each) => !each.isPractice)
      await requireEach(forged, async (changed) => {
        if (await isActive(changed.token)) return wronglyAccepted(`${changed.what} is active.`)
      })
      const lifetime = Number(login.tokens.expires_in)
      if (target.adapter && lifetime > 0) {
        await context.advanceClock(Math.ceil(lifetime) + tolerance)
        if (await isActive(token).finally(context.resetClock))
          return wronglyAccepted('An access token is active after expires_in.')
      }
      const reused = await asPremise('a login (see O02)', context.logInForTokens())
      await requestTokens(codeForm(reused), client)
      await requireEach(['access_token', 'refresh_token'] as const, async (name) => {
        if ((await isActive(reused.tokens[name])) && !(await works(context, reused.tokens, name)))
          return wronglyAccepted(`The ${name} of a code that was used twice is active.`)
      })
      return strangers
    },
  },
  'O95-revocation': {
    title: 'An advertised revocation_endpoint revokes the tokens of its client, and no others',
    level: 'final',
    expectation: 'refuse',
    clauses: ['RFC 7009, 2.1', 'RFC 7009, 2.2'],
    description:
      'Relying parties revoke tokens when a user logs out. If a token still works, an attacker who finds it continues the login. An endpoint without credentials ends the logins of other clients.',
    sends:
      'If the discovery document has revocation_endpoint: a made-up token and refresh tokens of logins without credentials, with a wrong secret, with those of the second client, and then correctly, also with token_type_hint access_token; and an access token.',
    decides:
      'The made-up token is answered with 200. Requests without the correct credentials are rejected, and the refresh token still works. After the correct request it does not. An access token is rejected at userinfo, unless its revocation was.',
    fix: 'Authenticate the client, and compare it with that of the token. Look for the token regardless of token_type_hint, and delete it before you return 200. Return 200 for an unknown token, and 400 unsupported_token_type if you cannot revoke access tokens.',
    async run(context) {
      const { client, secondClient } = context.target
      const impostor = impostorOf(client)
      const at = 'revocation_endpoint'
      if (!(await announces(context, at))) return notAnnounced(at)
      const revoke = (token: unknown, party?: IdpParty, more = {}) =>
        context.requestTokens({ token: String(token), ...more }, party, { at })
      const known = await revoke(unknownToken, client)
      if (isForbidden(known)) return forbidden(at)
      requireAnswer(known, 'The revocation of an unknown token')
      const strangers = await findStrangers(context, (party) => revoke(unknownToken, party))
      if (strangers.kind !== 'held') return strangers
      const login = await context.logInForTokens().catch(requireFinding)
      if (!('tokens' in login)) return strangers
      const { tokens } = login
      const hints =
        tokens.refresh_token === undefined ? [] : [{}, { token_type_hint: 'access_token' }]
      await requireEach(hints, async (hint) => {
        const { refresh_token: latest } = await logInAndRenew(context)
        for (const party of [undefined, impostor, ...(secondClient ? [secondClient] : [])]) {
          await revoke(latest, party)
        }
        const renewed = requireJson(
          await renew(context, latest),
          'A renewal after other clients tried to revoke its refresh token',
        )
        const { refresh_token: newest = latest } = renewed
        requireAnswer(await revoke(newest, client, hint), 'The revocation of a refresh token')
        const named = Object.keys(hint).length === 0 ? '' : ' with another token_type_hint'
        return findRefusal(await renew(context, newest), {
          what: `A refresh token that was revoked${named}`,
        })
      })
      const { status } = await revoke(tokens.access_token, client)
      return status === 200 && (await works(context, tokens, 'access_token'))
        ? wronglyAccepted('userinfo accepts an access token after its revocation.')
        : strangers
    },
  },
})

/** Whether the discovery document has an endpoint. */
async function announces({ discover, endpoint }: IdpContext, name: string): Promise<boolean> {
  // Without it O01 fails.
  await endpoint('token_endpoint')
  return (await discover())[name] !== undefined
}

const notAnnounced = (name: string) => held(`The discovery document does not advertise ${name}.`)

/** An endpoint may serve only some of the clients (RFC 7662, 2.1). */
const isForbidden = ({ status }: HttpAnswer) => status === 401 || status === 403

const forbidden = (name: string) =>
  inconclusive(`The client of the target is not allowed to use ${name}.`)

const impostorOf = (client: IdpParty) => ({ ...client, clientSecret: 'this is a wrong secret' })

/** Requests without the client's credentials must be rejected: with them, the same were accepted. */
function findStrangers(
  { target: { client } }: IdpContext,
  send: (party?: IdpParty) => Promise<HttpAnswer>,
): Promise<Finding> {
  const cases = [
    { what: 'A request without credentials', party: undefined },
    { what: 'A request with a wrong secret', party: impostorOf(client) },
  ]
  return findEach(cases, async ({ what, party }) => findRefusal(await send(party), { what }))
}

const renew = ({ requestTokens, target }: IdpContext, token: unknown) =>
  requestTokens({ grant_type: 'refresh_token', refresh_token: String(token) }, target.client)

async function logInAndRenew(context: IdpContext): Promise<TokenAnswer> {
  const { tokens } = await asPremise('a login (see O02)', context.logInForTokens())
  const renewing = renew(context, tokens.refresh_token)
  const renewed = renewing.then((answer) => requireJson(answer, 'A renewal'))
  return { ...tokens, ...(await asPremise('a renewal (see O72)', renewed)) }
}

/** Whether the IDP itself still accepts a token. */
async function works(context: IdpContext, tokens: TokenAnswer, name: string): Promise<boolean> {
  const token = tokens[name]
  if (name === 'refresh_token') return (await renew(context, token)).status === 200
  const url = await context.endpoint('userinfo_endpoint')
  const headers = { authorization: `Bearer ${token}` }
  return (await context.httpAs('relying-party').request(url, { headers })).status === 200
}

const schemeOf = (address: unknown) => URL.parse(String(address))?.protocol
