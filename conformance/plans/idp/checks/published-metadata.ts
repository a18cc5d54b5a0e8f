import { expectEqual, expectTrue } from '#scenarios/harness/expectations.ts'
import { broken, defineChecks, held } from '../../../kit/check.ts'
import { requireJson } from '../../../kit/classify-answer.ts'
import type { IdpContext } from '../context.ts'
import { privateMembers } from '../read-tokens.ts'

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
  'ui_locales_supported',
]

const other = 'attacker.example'

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

/** Discovery document and key set, member by member. They need no wallet. */
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
    clauses: ['RFC 7518, 3.3', 'RFC 7517, 9.2', 'OpenID Connect Core 1.0, 10.1'],
    description:
      'Relying parties trust every key of the set. A short key can be broken, and two keys with one kid make verification a matter of chance.',
    sends: 'GET jwks_uri',
    decides:
      'keys is a list that is not empty. Each RSA key has n of at least 2048 bits, e, use sig (if present) and alg RS256 (if it is for signatures of id_tokens). No kid occurs twice, and no key has private members.',
    fix: 'Publish RSA keys of 2048 bits or more with different kids, use sig and alg RS256. Publish only kty, n, e, kid, use and alg.',
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
        expectTrue(`the key ${kid} has e`, /^[\w-]+$/.test(String(e ?? '')), e)
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
      return held(`${keys.length} keys have the right members.`)
    },
  },
})

const schemeOf = (address: unknown) => URL.parse(String(address))?.protocol
