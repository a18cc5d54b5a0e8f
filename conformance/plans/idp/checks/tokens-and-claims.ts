import { randomUUID } from 'node:crypto'
import { isDeepStrictEqual } from 'node:util'
import { parseJson } from '#core/json/read-json.ts'
import { expectEqual, expectTrue } from '#scenarios/harness/expectations.ts'
import { broken, defineChecks, type Finding, held } from '../../../kit/check.ts'
import { findRefusal, requireFinding, requireJson } from '../../../kit/classify-answer.ts'
import { mandate } from '../../../world/create-trust-world.ts'
import { withDefect } from '../../verifier/presentation-checks.ts'
import type { IdpContext } from '../context.ts'
import { privateMembers, readClaims, requireUserinfo, verifyIdToken } from '../read-tokens.ts'

/** The tokens and the claims of userinfo. */
export const checks = defineChecks<IdpContext>({
  'O09-id-token': {
    title: 'The id_token is signed with RS256 and bound to the client, the time and the nonce',
    level: 'spec',
    expectation: 'accept',
    control: 'login',
    rows: ['1.endpoints/credential-idp.20', '1.endpoints/credential-idp.18'],
    clauses: ['OpenID Connect Core 1.0, 3.1.3.7'],
    description:
      'A relying party must check all of these, and must reject the login if one is missing.',
    sends: 'A complete login with a long nonce of unusual characters.',
    decides:
      'Header alg is RS256; the signature is valid for the published key; iss, aud, exp, iat and nonce are correct.',
    fix: 'Sign the id_token with RS256 and a key at jwks_uri. Set iss to issuer, aud to client_id, iat and exp in Unix seconds, and nonce to that of the authorization request.',
    needs: ['wallet-login'],
    async run(context) {
      const parameters = { nonce: `${randomUUID()} /=&+%2B`.repeat(3) }
      const { nonce, tokens } = await context.logInForTokens({ parameters })
      const { header, claims } = await verifyIdToken(context, tokens)
      const now = context.now()
      expectEqual('alg', header.alg, 'RS256')
      expectEqual('nonce', claims.nonce, nonce)
      expectTrue('exp is in the future', Number(claims.exp) > now, claims.exp)
      expectTrue('iat is now', Math.abs(Number(claims.iat) - now) < 300, claims.iat)
      return held('Signature, issuer, audience, times and nonce are correct.')
    },
  },
  'O10-power-is-a-string': {
    title: 'The claim power is a string that contains the serialized list',
    level: 'spec',
    expectation: 'accept',
    rows: ['1.resources-and-their-fields/idp-id-token-claims.2'],
    description:
      'Token issuers map claims with one value; they would drop or split a list, and with it the person’s powers.',
    sends: 'A complete login.',
    decides:
      'The id_token (or userinfo) has power as a string that contains every value of the powers of the credential. A serialization other than JSON is a warning, because the profile does not specify one.',
    fix: 'Serialize the list of powers to JSON text, and use this string as the claim power. Do not use an array.',
    needs: ['wallet-login'],
    async run(context) {
      const { power } = await readClaims(context)
      expectTrue('power is a string', typeof power === 'string', power)
      const text = String(power)
      const lost = valuesOf(mandate.power).filter((value) => !text.includes(value))
      expectEqual('values of the credential that power lacks', lost, [])
      return isDeepStrictEqual(parseJson(text), mandate.power)
        ? held('power is the serialized list.')
        : broken('power is not the JSON list of powers.', { actual: text, level: 'practice' })
    },
  },
  'O11-claims': {
    title: 'All documented claims reach the relying party',
    level: 'spec',
    expectation: 'accept',
    rows: ['1.resources-and-their-fields/idp-id-token-claims.1'],
    description: 'The relying party decides on the basis of the credential’s claims.',
    sends:
      'A complete login with the scopes of the target, and one with a credential without names and email.',
    decides:
      'id_token and userinfo together contain every documented claim, and organization_identifier as in the credential. Other values that differ, because mappers are configurable, a claim that claims_supported lacks, and claims without a value, are warnings.',
    fix: 'Map every claim: sub, email, given_name, family_name, name, preferred_username, organization, organization_identifier, user_identifier and power. organization_identifier is mandator.organizationIdentifier.',
    needs: ['wallet-login'],
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
      const others = Object.entries(due)
        .filter(([name, value]) => claims[name] !== value)
        .map(([name]) => name)
      const words = String(claims.name).split(/[\s,]+/)
      const isNamed = [mandatee.firstName, mandatee.lastName].every((word) => words.includes(word))
      const different = isNamed ? others : [...others, 'name']
      const notTexts = names.filter((name) => typeof claims[name] !== 'string')
      const wrong = [...different, ...notTexts]
      if (wrong.length > 0) {
        return broken(`Different from the credential: ${wrong.join(', ')}`, {
          expected: due,
          actual: claims,
          level: 'practice',
        })
      }
      const { claims_supported: announced } = await context.discover()
      const hidden = Object.keys(due).filter((name) => ![announced].flat().includes(name))
      if (announced !== undefined && hidden.length > 0) {
        return broken(`claims_supported lacks ${hidden.join(', ')}.`, {
          actual: announced,
          level: 'practice',
        })
      }
      return findWithoutValues(context)
    },
  },
  'O12-userinfo': {
    title: 'userinfo requires a Bearer token and has the same subject as the id_token',
    level: 'spec',
    expectation: 'accept',
    control: 'login',
    rows: ['1.endpoints/credential-idp.6', '1.authentication.4'],
    clauses: ['OpenID Connect Core 1.0, 5.3.2'],
    description: 'Claims of a different subject are claims about a different person.',
    sends: 'GET userinfo without a token, then with the access token of a login.',
    decides:
      'Rejected without a token; with it 200 and the sub of the id_token. A rejection other than 401 is a warning.',
    fix: 'Answer userinfo without a Bearer access token with 401. With one, return the sub of the id_token of the same login.',
    needs: ['wallet-login'],
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
      return held('userinfo is rejected without a token, and has the same subject with it.')
    },
  },
  'O13-userinfo-with-id-token': {
    title: 'userinfo rejects an id_token instead of the access token',
    level: 'spec',
    expectation: 'refuse',
    rows: ['1.endpoints/credential-idp.6'],
    clauses: ['OpenID Connect Core 1.0, 5.3.1', 'RFC 6750, 3.1'],
    description: 'id_tokens are passed on as proof of a login; they must not give access.',
    sends: 'GET userinfo with the access token of a login, then with its id_token.',
    decides: 'The first is accepted, the second rejected; a status other than 401 is a warning.',
    fix: 'Accept only access tokens at userinfo: compare typ or aud, not only the signature. Answer an id_token with 401 invalid_token.',
    needs: ['wallet-login'],
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
    title: 'The published key set contains the key of the id_token under its kid',
    level: 'spec',
    expectation: 'accept',
    control: 'login',
    rows: ['1.endpoints/credential-idp.7'],
    clauses: ['OpenID Connect Core 1.0, 10.1'],
    description: 'Relying parties find the key by kid; after a rotation there are several.',
    sends: 'A login, and GET jwks_uri.',
    decides:
      'One RSA key of the set has the kid of the id_token (optional if there is only one key), and no key has private members.',
    fix: 'Publish the RSA key of the id_token at jwks_uri, with the same kid. Publish no private members, such as d, p and q.',
    needs: ['wallet-login'],
    async run(context) {
      const { endpoint, httpAs, logInForTokens } = context
      const answer = await httpAs('relying-party').request(await endpoint('jwks_uri'))
      const { keys: published } = requireJson(answer, 'jwks_uri')
      const keys = [published].flat().filter(isKey)
      if (keys.length === 0) return broken('jwks_uri has no keys.', { actual: published })
      const names = keys.flatMap((key) => Object.keys(key))
      const secret = names.filter((name) => privateMembers.has(name))
      expectEqual('private members of the published keys', secret, [])
      const { tokens } = await logInForTokens()
      const { header } = await verifyIdToken(context, tokens)
      // With only one key the kid is optional.
      const named =
        header.kid === undefined && keys.length === 1 ? keys : keysNamed(keys, header.kid)
      expectEqual(
        'kty of the keys with its kid',
        named.map(({ kty }) => kty),
        ['RSA'],
      )
      return held('The key is listed under its kid, without private members.')
    },
  },
  'O34-id-token-is-for-one-client': {
    title: 'The audience of the id_token is only the requesting client',
    level: 'practice',
    expectation: 'accept',
    control: 'second-login',
    clauses: ['OpenID Connect Core 1.0, 2'],
    description: 'An id_token that two clients accept can log a person in to the wrong one.',
    sends: 'A login of the second client.',
    decides: 'aud is only the second client.',
    fix: 'Set aud of the id_token to the client_id of the requesting client, and to nothing else.',
    needs: ['wallet-login', 'second-client'],
    async run(context) {
      const { logInForTokens, target } = context
      const { secondClient: party = target.client } = target
      const { tokens } = await logInForTokens({ party })
      const { claims } = await verifyIdToken(context, tokens, party)
      expectEqual('aud', [claims.aud].flat(), [party.clientId])
      return held('aud is the requesting client.')
    },
  },
})

const unnamed = withDefect('A credential without names and with null as email.', {
  change: () => ({
    mandate: { mandatee: { employeeId: mandate.mandatee.employeeId, email: null } },
  }),
})

/** A claim whose member the credential lacks must be absent. A verifier may reject the credential. */
async function findWithoutValues(context: IdpContext): Promise<Finding> {
  const login = await context.logInForTokens({ presentation: unnamed }).catch(requireFinding)
  if (!('tokens' in login)) return held('Every documented claim is present.')
  const { claims } = await verifyIdToken(context, login.tokens)
  const withoutValue = /^\s*(null|undefined)?(\s+(null|undefined))?\s*$/
  const names = ['email', 'name', 'given_name', 'family_name', 'preferred_username']
  const empty = names.filter((name) => name in claims && withoutValue.test(String(claims[name])))
  return empty.length === 0
    ? held('Every documented claim is present, and none without a value.')
    : broken(`The credential has no value for ${empty.join(', ')}.`, {
        actual: claims,
        level: 'practice',
      })
}

/** Every string inside a value. */
function valuesOf(value: unknown): string[] {
  if (typeof value === 'string') return [value]
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(valuesOf) : []
}

const isKey = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null

const keysNamed = (keys: readonly Record<string, unknown>[], kid: unknown) =>
  keys.filter((key) => kid !== undefined && key.kid === kid)
