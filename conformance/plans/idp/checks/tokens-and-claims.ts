import { randomUUID } from 'node:crypto'
import { isDeepStrictEqual } from 'node:util'
import { parseJson } from '#core/json/read-json.ts'
import { expectEqual, expectTrue } from '#scenarios/harness/expectations.ts'
import { broken, defineChecks, type Finding, held } from '../../../kit/check.ts'
import {
  asPremise,
  findRefusal,
  requireFinding,
  requireJson,
} from '../../../kit/classify-answer.ts'
import { findEach } from '../../../kit/find-each.ts'
import { mandate } from '../../../world/create-trust-world.ts'
import type { IdpContext } from '../context.ts'
import { type Members, person } from '../person.ts'
import {
  type Claims,
  type ClaimsByPlace,
  privateMembers,
  readClaims,
  requireUserinfo,
  valuesOf,
  verifyIdToken,
} from '../read-tokens.ts'

/**
 * Known functions, as an IDP may reject others. No value is a part of another one, so that each can
 * be found in any serialization.
 */
const powers = [
  { type: 'domain', domain: 'Org', function: 'Onboarding', action: ['execute', 'delegate'] },
  { type: 'domain', domain: 'Org', function: 'ProductOffering', action: ['create', 'update'] },
  { type: 'domain', domain: 'Org', function: 'Certification', action: ['upload', 'attest'] },
]

/** Unix seconds: the beginning of the year 10000. Milliseconds are later. */
const endOfTimes = 253_402_300_800

/** The scope that gives every documented claim. */
const ownScope = 'openid-vp-lear'

/** People with names that are unusual or missing. */
const people: readonly {
  /** To follow `A credential`. */
  readonly what: string
  readonly mandatee: Members
  readonly mandator?: Members
  /** A verifier may require the names that it lacks. */
  readonly mayBeRefused?: true
}[] = [
  {
    what: 'with letters of other scripts, and with markup in a long name of the organization',
    mandatee: {
      firstName: 'Íñigo José',
      lastName: 'Peña-Núñez 王',
      email: 'inigo+lear@first.example',
    },
    mandator: {
      organizationIdentifier: 'NTRDE-HRB 86891',
      organization: `"Íñigo & Hijos" <Logística> d'Elx y ${'Transportes '.repeat(6)}y Cía., S.L.`,
    },
  },
  { what: 'without a last name', mandatee: { lastName: undefined }, mayBeRefused: true },
  {
    what: 'without names and with null as email',
    mandatee: { firstName: undefined, lastName: undefined, email: null },
    mayBeRefused: true,
  },
]

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
    sends: 'A complete login with a long nonce of unusual characters, with spaces at both ends.',
    decides:
      'Header alg is RS256; the signature is valid for the published key; iss, aud, exp, iat and nonce are correct. exp and iat are in seconds.',
    fix: 'Sign the id_token with RS256 and a key at jwks_uri. Set iss to issuer, aud to client_id, iat and exp in Unix seconds, and nonce to that of the authorization request.',
    needs: ['wallet-login'],
    async run(context) {
      const parameters = { nonce: `${` ${randomUUID()} /=&+ñ%2B`.repeat(3)} ` }
      const { nonce, tokens } = await context.logInForTokens({ parameters })
      const { header, claims } = await verifyIdToken(context, tokens)
      const now = context.now()
      expectEqual('alg', header.alg, 'RS256')
      expectEqual('nonce', claims.nonce, nonce)
      expectTrue('exp is in the future', Number(claims.exp) > now, claims.exp)
      expectTrue('exp is in seconds', Number(claims.exp) < endOfTimes, claims.exp)
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
    sends: 'A login with a credential of three powers with two actions each.',
    decides:
      'The id_token or userinfo has power. In both it is, if present, a string that contains every value of the powers of the credential. A serialization other than JSON is a warning, because the profile does not specify one.',
    fix: 'Serialize the list of powers to JSON text, and use this string as the claim power, in the id_token and at userinfo. Do not use an array, and leave no power or action out.',
    needs: ['wallet-login'],
    async run(context) {
      const login = context.logInForTokens({ presentation: person({}, {}, powers) })
      const { tokens } = await asPremise('a login with three powers (see O55)', login)
      const given = valuesOf(await readClaims(context, tokens), 'power')
      expectTrue('the id_token or userinfo has power', given.length > 0)
      for (const { place, value } of given) {
        expectTrue(`power in ${place} is a string`, typeof value === 'string', value)
        const lost = textsIn(powers).filter((text) => !String(value).includes(text))
        expectEqual(`values of the credential that power in ${place} lacks`, lost, [])
      }
      const other = given.find(({ value }) => !isDeepStrictEqual(parseJson(String(value)), powers))
      return other === undefined
        ? held('power is the serialized list.')
        : broken(`power in ${other.place} is not the JSON list of powers.`, {
            actual: other.value,
            level: 'practice',
          })
    },
  },
  'O11-claims': {
    title: 'All documented claims reach the relying party',
    level: 'spec',
    expectation: 'accept',
    rows: [
      '1.resources-and-their-fields/idp-id-token-claims.1',
      '1.resources-and-their-fields/idp-id-token-claims.3',
    ],
    clauses: ['OpenID Connect Core 1.0, 5.1'],
    description: 'The relying party decides on the basis of the credential’s claims.',
    sends: `A complete login with the scopes of the target, one with only openid ${ownScope}, and logins with credentials ${people.map(({ what }) => what).join(', ')}.`,
    decides:
      'id_token and userinfo together contain every documented claim, and organization_identifier in both is, if present, that of the credential. Other values that differ, because mappers are configurable, an email_verified that is not a boolean, a claim that only userinfo has or claims_supported lacks, claims without a value, and a login that fails for one of the names, are warnings.',
    fix: 'Map every claim with openid-vp-lear into the id_token: sub, email, given_name, family_name, name, preferred_username, organization, organization_identifier, user_identifier and power. Do not change, cut or escape values, and leave out claims that the credential has no value for.',
    needs: ['wallet-login'],
    async run(context) {
      const { target } = context
      const login = context.logInForTokens()
      const { tokens } = await asPremise('a login (see O02)', login)
      const places = await readClaims(context, tokens)
      const due = dueOf(mandate)
      const names = ['sub', 'name', 'preferred_username', 'user_identifier', 'power']
      const missingIn = (claims: ClaimsByPlace) =>
        [...names, ...Object.keys(due)].filter((name) =>
          valuesOf(claims, name).every(({ value }) => isBlank(value)),
        )
      expectEqual('missing claims', missingIn(places), [])
      if (target.scope.split(' ').includes(ownScope)) {
        const fewer = context.logInForTokens({ parameters: { scope: `openid ${ownScope}` } })
        const { tokens: ofScope } = await asPremise(`a login with only openid ${ownScope}`, fewer)
        const missing = missingIn(await readClaims(context, ofScope))
        expectEqual(`missing claims with only openid ${ownScope}`, missing, [])
      }
      const notTexts = names.filter((name) =>
        valuesOf(places, name).some(({ value }) => typeof value !== 'string'),
      )
      const different = findDifferent('The login', places, due, notTexts)
      if (different) return different
      const flags = valuesOf(places, 'email_verified').map(({ value }) => value)
      if (flags.some((value) => typeof value !== 'boolean')) {
        const reason = 'email_verified is not a boolean.'
        return broken(reason, { actual: flags, level: 'final' })
      }
      const { claims_supported: announced } = await context.discover()
      const hidden = Object.keys(due).filter((name) => ![announced].flat().includes(name))
      if (announced !== undefined && hidden.length > 0) {
        return broken(`claims_supported lacks ${hidden.join(', ')}.`, {
          actual: announced,
          level: 'practice',
        })
      }
      const ofPeople = await findEach(people, (each) => findClaimsOf(context, each))
      const outside = missingIn({ ...places, userinfo: {} })
      if (ofPeople.kind !== 'held' || outside.length === 0) return ofPeople
      const reason = `Only userinfo has ${outside.join(', ')}, and the id_token does not.`
      return broken(reason, { actual: places['the id_token'], level: 'practice' })
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
    fix: 'Return 401 from userinfo if there is no Bearer access token. With one, return the sub of the id_token of the same login.',
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
    title: 'userinfo rejects everything but the access token of a login',
    level: 'spec',
    expectation: 'refuse',
    rows: ['1.endpoints/credential-idp.6'],
    clauses: ['OpenID Connect Core 1.0, 5.3.1', 'RFC 6750, 3.1'],
    description:
      'id_tokens are passed on as proof of a login, and codes are in addresses. They must not give access.',
    sends:
      'GET userinfo with the access token of a login, then with its id_token, its refresh token and its code.',
    decides:
      'The first is accepted, the others are rejected; a status other than 401 is a warning.',
    fix: 'Accept only access tokens at userinfo: compare typ or aud, not only the signature, and do not look up other tokens. Reject them with 401 invalid_token.',
    needs: ['wallet-login'],
    async run(context) {
      const { url, tokens, code } = await requireUserinfo(context)
      const others = { 'an id_token': tokens.id_token, 'a refresh token': tokens.refresh_token }
      return findEach(Object.entries({ ...others, 'a code': code }), async ([name, token]) => {
        const headers = { authorization: `Bearer ${token}` }
        const answer = await context.httpAs('relying-party').request(url, { headers })
        const what = `userinfo with ${name}`
        return findRefusal(answer, { what, statuses: [401], statusLevel: 'practice' })
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

type Mandate = Readonly<Record<'mandatee' | 'mandator', Members>>

/** The claims that are members of the credential, with their values. */
const dueOf = ({ mandatee, mandator }: Mandate): Claims => ({
  organization_identifier: mandator.organizationIdentifier,
  email: mandatee.email,
  given_name: mandatee.firstName,
  family_name: mandatee.lastName,
  organization: mandator.organization,
})

/** Whether a claim has no value, such as the name `undefined null`. */
const isBlank = (value: unknown) =>
  /^\s*(null|undefined)?(\s+(null|undefined))?\s*$/.test(String(value))

/**
 * The finding about claims that differ from the credential in the id_token or at userinfo;
 * undefined if there are none.
 * @param others names of claims that are wrong for another reason
 */
function findDifferent(
  what: string,
  places: ClaimsByPlace,
  due: Claims,
  others: readonly string[] = [],
): Finding | undefined {
  const isWrong = (name: string) =>
    valuesOf(places, name).some(
      ({ value }) => isBlank(value) || (due[name] != null && value !== due[name]),
    )
  const wordsOf = (value: unknown) => String(value).split(/[\s,]+/)
  const names = [due.given_name, due.family_name].filter((name) => name != null)
  const isMisnamed = valuesOf(places, 'name').some(({ value }) => {
    const words = wordsOf(value)
    const hasFiller = words.some((word) => ['null', 'undefined'].includes(word))
    return (
      isBlank(value) || hasFiller || !names.flatMap(wordsOf).every((word) => words.includes(word))
    )
  })
  const wrong = [
    ...[...Object.keys(due), 'preferred_username'].filter(isWrong),
    ...(isMisnamed ? ['name'] : []),
    ...others,
  ]
  if (wrong.length === 0) return undefined
  const found = wrong.map((name) => {
    const [first] = valuesOf(places, name)
    return `${name} (${JSON.stringify(first?.value)?.slice(0, 60)})`
  })
  return broken(`${what} has other claims than its credential: ${found.join(', ')}.`, {
    expected: due,
    actual: places,
    ...(wrong.includes('organization_identifier') ? {} : { level: 'practice' }),
  })
}

/** The claims of a person whose names are unusual or missing. */
async function findClaimsOf(
  context: IdpContext,
  { what, mandatee, mandator, mayBeRefused }: (typeof people)[number],
): Promise<Finding> {
  const presentation = person(mandatee, mandator)
  const login = await context.logInForTokens({ presentation }).catch(requireFinding)
  if (!('tokens' in login)) {
    if (mayBeRefused && !login.isOutage) return held(`A credential ${what} yielded no login.`)
    const reason = `A login with a credential ${what} failed: ${login.reason}`
    const isFailure = login.kind === 'broken' || login.isOutage
    return isFailure ? broken(reason, { level: 'practice' }) : login
  }
  const due = dueOf({
    mandatee: { ...mandate.mandatee, ...mandatee },
    mandator: { ...mandate.mandator, ...mandator },
  })
  return (
    findDifferent(
      `The login with a credential ${what}`,
      await readClaims(context, login.tokens),
      due,
    ) ?? held(`The claims of a credential ${what} are right.`)
  )
}

/** Every string inside a value. */
function textsIn(value: unknown): string[] {
  if (typeof value === 'string') return [value]
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(textsIn) : []
}

const isKey = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null

const keysNamed = (keys: readonly Record<string, unknown>[], kid: unknown) =>
  keys.filter((key) => kid !== undefined && key.kid === kid)
