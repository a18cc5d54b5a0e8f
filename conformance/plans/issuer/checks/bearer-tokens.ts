import { createHmac, generateKeyPairSync, type KeyObject, sign } from 'node:crypto'
import { encodeBase64url, encodeJson } from '#core/crypto/base64url.ts'
import { createSigningInput, parseJws } from '#core/crypto/jws.ts'
import type { HttpAnswer } from '#scenarios/harness/http-client.ts'
import {
  broken,
  type CheckLevel,
  defineChecks,
  type Finding,
  inconclusive,
} from '../../../kit/check.ts'
import { asPremise, findRefusal } from '../../../kit/classify-answer.ts'
import { findEach } from '../../../kit/find-each.ts'
import { similarTexts, valuesOf, withOther } from '../../../kit/near-misses.ts'
import { createCertificate } from '../../../kit/signatures.ts'
import type { IssuerContext } from '../context.ts'
import { obtainCredential } from '../credentials.ts'
import { listRecords, portalEndpoints, signIn, validBody } from '../portal-steps.ts'
import { redeem } from '../redeeming.ts'
import { documentedUnauthorized, findUnauthorized } from '../refusals.ts'

/** Every endpoint gets these forgeries, the list also all others. */
const everywhere = 4

const forged = { authorization: 'Bearer e30.e30.c2ln' }

export const checks = defineChecks<IssuerContext>({
  'I87-bearer-everywhere': {
    title: 'Every endpoint for portals requires a Bearer token',
    level: 'spec',
    expectation: 'refuse',
    control: 'portal',
    rows: ['1.authentication.1', '1.errors.1'],
    clauses: ['RFC 9110, 15.5.2'],
    description: 'A single unprotected endpoint is enough for an attack.',
    sends: `POST to ${portalEndpoints.map((name) => `/issuance/${name}`).join(', ')}, each with a valid body, without a token, and with a forged token. The same with an empty object and with JSON without its end instead of the body.`,
    decides:
      'Each returns 401, while a valid token is accepted. A different 4xx without a token is a WARN: the profile requires 401 only for tokens that are present. So is a 4xx other than 401 for a wrong body, and a 401 without WWW-Authenticate.',
    fix: 'Verify the Bearer token at every endpoint below /issuance that portals use, before you read the body. If it is missing or its signature is invalid, return 401 with WWW-Authenticate: Bearer.',
    needs: ['portal'],
    async run(context) {
      const portal = context.portal()
      await asPremise('listing credentials with a valid token', listRecords(await signIn(portal)))
      const requests = portalEndpoints.flatMap((endpoint) => [
        { endpoint, token: 'no token', headers: {}, statusLevel: 'practice' as const },
        { endpoint, token: 'a forged token', headers: forged },
      ])
      const answers: HttpAnswer[] = []
      const finding = await findEach(
        requests,
        async ({ endpoint, token, headers, ...expected }) => {
          const answer = await portal.post(endpoint, validBody(endpoint, portal), headers)
          answers.push(answer)
          const what = `The request to /issuance/${endpoint} with ${token}`
          return findRefusal(answer, { what, statuses: [401], ...expected })
        },
      )
      if (finding.kind !== 'held') return finding
      const early = await findEach(requests, ({ endpoint, token, headers }) =>
        findEach(['{}', '{"power": ['], async (body) => {
          const json = { 'content-type': 'application/json' }
          const answer = await portal.send(endpoint, { body, headers: { ...json, ...headers } })
          const what = `The request to /issuance/${endpoint} with ${token} and the body ${body}`
          return findRefusal(answer, { what, statuses: [401], statusLevel: 'practice' })
        }),
      )
      return early.kind === 'held' ? (findMissingChallenge(answers) ?? finding) : early
    },
  },
  'I120-forged-bearer': {
    title: 'A forged or changed Bearer token is rejected',
    level: 'spec',
    expectation: 'refuse',
    control: 'portal',
    rows: ['1.authentication.1', '1.errors.1'],
    description:
      'The token says which organization a person acts for. An attacker who can forge it obtains mandates of any organization.',
    sends:
      'Tokens of other kinds: a credential that the issuer signed, and the access token of a wallet. Tokens made from a valid one: unsigned, with changed claims, with a changed, shortened or other signature, signed with a key of an attacker that is also in jwk, x5c or at jku, and with a MAC. The list of credentials gets all, the other endpoints the unsigned ones.',
    decides: `Each response is 401 with ${JSON.stringify(documentedUnauthorized)}, while the valid token is accepted.`,
    fix: 'Verify the Bearer token only with keys of the key set at JWKS_URI and with a fixed list of algorithms. Ignore jwk, jku and x5c of its header. Otherwise return 401 with the documented body.',
    needs: ['portal'],
    async run(context) {
      const portal = context.portal()
      const signedIn = await signIn(portal)
      await asPremise('listing credentials with a valid token', listRecords(signedIn))
      const token = signedIn.headers.authorization.slice('Bearer '.length)
      const forged = forgeBearers(token, await portal.createBearerToken({ expiresIn: 1800 }))
      if (forged === undefined) return inconclusive('create-bearer-token did not return a JWT.')
      const { jwt } = await obtainCredential(context)
      const { accessToken } = (await redeem(context)).token
      const otherKinds = [
        { what: 'that is a credential of the issuer', token: jwt },
        { what: 'that is the access token of a wallet', token: accessToken },
      ]
      const requests = [
        ...[...otherKinds, ...forged].map((each) => ({ ...each, endpoint: 'credential' as const })),
        ...portalEndpoints.flatMap((endpoint) =>
          forged.slice(0, everywhere).map((each) => ({ ...each, endpoint })),
        ),
      ]
      return findEach(requests, async ({ endpoint, what, token }) => {
        const headers = { authorization: `Bearer ${token}` }
        const answer = await portal.post(endpoint, validBody(endpoint, portal), headers)
        return findUnauthorized(answer, `The request to /issuance/${endpoint} with a token ${what}`)
      })
    },
  },
  'I121-bearer-elsewhere': {
    title: 'A Bearer token outside of a Bearer header is rejected',
    level: 'spec',
    expectation: 'refuse',
    control: 'portal',
    rows: ['1.authentication.1'],
    clauses: ['RFC 9700, 4.3.2'],
    description:
      'Addresses end up in logs, and browsers send cookies on behalf of any page: a token must be in the place that clients fill on purpose.',
    sends:
      'POST /issuance/credential with a valid token in a different scheme, without a scheme, twice, in a cookie, in X-Access-Token, in the address and in the body.',
    decides:
      'Each response is 401, while the token as Bearer is accepted. A different 4xx is a WARN, and so is accepting the token outside of Authorization.',
    fix: 'Read the token only from the header Authorization with the scheme Bearer and one token. Reject anything else with 401.',
    needs: ['portal'],
    async run(context) {
      const portal = context.portal()
      const signedIn = await signIn(portal)
      await asPremise('listing credentials with a valid token', listRecords(signedIn))
      const { authorization } = signedIn.headers
      const token = authorization.slice('Bearer '.length)
      const body = { organization_identifiers: [portal.organizationIdentifier] }
      const requests: readonly WrongPlace[] = [
        ...['Basic', 'DPoP', 'Token', 'BearerX', 'Bearer:'].map((scheme) => ({
          what: `the scheme ${scheme}`,
          headers: { authorization: `${scheme} ${token}` },
        })),
        { what: 'no scheme', headers: { authorization: token } },
        { what: 'no space after Bearer', headers: { authorization: `Bearer${token}` } },
        { what: 'the token twice', headers: { authorization: `${authorization} ${token}` } },
        { what: 'only the scheme', headers: { authorization: 'Bearer' } },
        { what: 'the token in a cookie', headers: { cookie: `access_token=${token}` }, ...less },
        { what: 'the token in X-Access-Token', headers: { 'x-access-token': token }, ...less },
        { what: 'the token in the address', query: `?access_token=${token}`, ...less },
        { what: 'the token in the body', json: { ...body, access_token: token }, ...less },
      ]
      return findEach(requests, async ({ what, headers = {}, json = body, query = '', level }) => {
        const answer = await portal.post('credential', json, headers, query)
        const finding = findRefusal(answer, {
          what: `The request to /issuance/credential with ${what}`,
          statuses: [401],
          statusLevel: 'practice',
        })
        return finding.kind === 'broken' && level ? { level, ...finding } : finding
      })
    },
  },
  'I155-bearer-of-another-service': {
    title: 'A Bearer token for another service, of another issuer or from the future is rejected',
    level: 'final',
    expectation: 'refuse',
    control: 'portal',
    rows: ['1.authentication.1', '1.errors.1'],
    clauses: ['RFC 7519, 4.1.3', 'RFC 7519, 4.1.5'],
    description:
      'A token issuer signs tokens for many services with one key. A service that gets a token could use it to request mandates.',
    sends:
      'POST /issuance/credential with tokens whose aud or iss is another or a similar value, or whose nbf is in an hour, signed with the key of the token issuer.',
    decides: `Each response is 401 with ${JSON.stringify(documentedUnauthorized)}, while the valid token is accepted. If the valid token has no aud or no iss, that claim is not checked.`,
    fix: 'Compare aud of the Bearer token with the own identifier and iss with that of the token issuer, as complete strings, and nbf with the current time. Otherwise return 401 with the documented body.',
    needs: ['portal', 'bearer-claims'],
    async run(context) {
      const portal = context.portal()
      const signedIn = await signIn(portal)
      await asPremise('listing credentials with a valid token', listRecords(signedIn))
      const token = parseJws(signedIn.headers.authorization.slice('Bearer '.length))
      if (!token.ok) return inconclusive('create-bearer-token did not return a JWT.')
      const { payload } = token
      const claims = (['aud', 'iss'] as const).flatMap((name) => {
        const [value] = [payload[name]].flat()
        if (typeof value !== 'string') return []
        const other = { what: 'is another address', change: () => 'https://attacker.example' }
        return valuesOf([...similarTexts, other], value).map((miss) => ({
          what: `whose ${name} ${miss.what}`,
          claims: { [name]: miss.value },
        }))
      })
      const future = { what: 'whose nbf is in an hour', claims: { nbf: context.now() + 3600 } }
      return findEach([...claims, future], async ({ what, claims }) => {
        const authorization = `Bearer ${await portal.createBearerToken(claims)}`
        const body = validBody('credential', portal)
        const answer = await portal.post('credential', body, { authorization })
        return findUnauthorized(answer, `The request with a token ${what}`)
      })
    },
  },
})

/** A request with the token in a wrong place, to follow `with`. */
interface WrongPlace {
  readonly what: string
  readonly headers?: Readonly<Record<string, string>>
  readonly json?: unknown
  readonly query?: string
  /** The level of its acceptance, if lower than that of the check. */
  readonly level?: CheckLevel
}

/** The profile does not forbid a second place for the token. */
const less = { level: 'practice' } as const

function findMissingChallenge(answers: readonly HttpAnswer[]): Finding | undefined {
  const unchallenged = answers.find(({ headers }) => !headers.get('www-authenticate'))
  if (unchallenged === undefined) return undefined
  const { pathname } = new URL(unchallenged.url)
  return broken(`The 401 of ${pathname} has no challenge`, {
    level: 'final',
    expected: 'WWW-Authenticate: Bearer',
    actual: null,
    verdictSource: `WWW-Authenticate of ${pathname}`,
  })
}

/** A token that the token issuer did not create. */
export interface ForgedBearer {
  /** To follow `a token`. */
  readonly what: string
  readonly token: string
}

type Members = Readonly<Record<string, unknown>>

let attacker: ReturnType<typeof createAttacker> | undefined

/** Keys of an attacker, created once since RSA takes its time. */
function createAttacker() {
  const rsa = generateKeyPairSync('rsa', { modulusLength: 2048 })
  const ec = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  return { rsa, ec, rsaJwk: jwkOf(rsa.publicKey), ecJwk: jwkOf(ec.publicKey) }
}

const jwkOf = (key: KeyObject): Members => ({ ...key.export({ format: 'jwk' }) })

function signWith(header: Members, payload: Members, key: KeyObject): string {
  const input = createSigningInput(header, payload)
  const signature = sign('sha256', Buffer.from(input), { key, dsaEncoding: 'ieee-p1363' })
  return `${input}.${encodeBase64url(signature)}`
}

function signByMac(header: Members, payload: Members, secret: string): string {
  const input = createSigningInput({ ...header, alg: 'HS256' }, payload)
  return `${input}.${createHmac('sha256', secret).update(input).digest('base64url')}`
}

/**
 * Forgeries of a valid token.
 * @param other another valid token of the same key
 * @returns undefined if the tokens are not JWTs
 */
function forgeBearers(token: string, other: string): readonly ForgedBearer[] | undefined {
  const jws = parseJws(token)
  const [head = '', body = '', signature = ''] = token.split('.')
  const [, , otherSignature = ''] = other.split('.')
  if (!jws.ok || !parseJws(other).ok) return undefined
  attacker ??= createAttacker()
  const { rsa, ec, rsaJwk, ecJwk } = attacker
  const { header, payload } = jws
  const { kid: _, ...anonymous } = header
  const rs256 = { ...header, alg: 'RS256' }
  const es256 = { ...header, alg: 'ES256' }
  const changed = encodeJson({ ...payload, organization_identifier: 'VATES-X00000000' })
  const later = encodeJson({ ...payload, exp: Number(payload.exp) + 86_400 })
  const keySet = `data:application/json,${encodeURIComponent(JSON.stringify({ keys: [rsaJwk] }))}`
  return [
    { what: 'with alg none', token: `${encodeJson({ ...header, alg: 'none' })}.${body}.` },
    { what: 'with alg None', token: `${encodeJson({ ...header, alg: 'None' })}.${body}.` },
    {
      what: 'with alg none and a signature',
      token: `${encodeJson({ ...header, alg: 'none' })}.${body}.${signature}`,
    },
    { what: 'without its signature', token: `${head}.${body}.` },
    { what: 'with another organization in it', token: `${head}.${changed}.${signature}` },
    { what: 'with a later expiry in it', token: `${head}.${later}.${signature}` },
    { what: 'with the signature of another token', token: `${head}.${body}.${otherSignature}` },
    {
      what: 'with a changed character in its signature',
      token: `${head}.${body}.${withOther(signature, signature.length >> 1)}`,
    },
    {
      what: 'with half of its signature',
      token: `${head}.${body}.${signature.slice(0, (signature.length >> 2) << 1)}`,
    },
    { what: 'with a fourth part', token: `${token}.e30` },
    { what: 'signed with another RSA key', token: signWith(rs256, payload, rsa.privateKey) },
    { what: 'signed with an EC key', token: signWith(es256, payload, ec.privateKey) },
    {
      what: 'signed with another key and without kid',
      token: signWith({ ...anonymous, alg: 'RS256' }, payload, rsa.privateKey),
    },
    {
      what: 'signed with the key in its jwk',
      token: signWith({ ...rs256, jwk: rsaJwk }, payload, rsa.privateKey),
    },
    {
      what: 'signed with the EC key in its jwk',
      token: signWith({ ...es256, jwk: ecJwk }, payload, ec.privateKey),
    },
    {
      what: 'signed with the key at its jku',
      token: signWith({ ...rs256, jku: keySet }, payload, rsa.privateKey),
    },
    {
      what: 'signed with the key in its x5c',
      token: signWith(
        { ...rs256, x5c: [createCertificate(rsa.privateKey)] },
        payload,
        rsa.privateKey,
      ),
    },
    { what: 'with a MAC of an empty secret', token: signByMac(header, payload, '') },
    { what: 'with a MAC of its kid', token: signByMac(header, payload, String(header.kid)) },
  ]
}
