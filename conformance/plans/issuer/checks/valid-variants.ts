import { randomBytes } from 'node:crypto'
import { publicJwkOf } from '#core/crypto/jwk.ts'
import { parseJws } from '#core/crypto/jws.ts'
import { createTokenRequest } from '#core/oid4vci/token.ts'
import { createRequestBody } from '#scenarios/fixtures/wallet-endpoints.ts'
import type { HttpRequest } from '#scenarios/harness/http-client.ts'
import { broken, defineChecks, type Finding, inconclusive } from '../../../kit/check.ts'
import { asPremise, classifyStatus } from '../../../kit/classify-answer.ts'
import { findEach } from '../../../kit/find-each.ts'
import type { IssuerContext } from '../context.ts'
import { credentialIn } from '../credentials.ts'
import { tag } from '../mailed-offers.ts'
import type { IssuanceEndpoint, Portal } from '../open-portal.ts'
import { listRecords, obtainOwnCredential, signIn, smallPower, validBody } from '../portal-steps.ts'
import {
  createBodyWith,
  ofJwk,
  openSession,
  type Session,
  type WrongProof,
  withHeader,
  withPayload,
} from '../proofs.ts'
import { askForCredential, askForToken, readOffer, redeem } from '../redeeming.ts'
import { findAcceptance } from '../refusals.ts'

/** With the level and the fix of its rejection, if they are not those of the check. */
interface Variant extends Pick<Finding, 'level' | 'fix'> {
  /** The beginning of a sentence. */
  readonly what: string
}

/** A search that takes the end of the string before it for a beginning sees a name twice. */
const misread = { 'c,': 'd,', 'e,': 'f,' }

/** A value whose names and brackets a careless search for duplicate members misreads. */
const nested = {
  empty: { '': '', ...misread },
  quote: { '': '"', ...misread },
  // After it, a parser that misreads quotation marks sees a duplicate name.
  escapes: 'x","a":"1","a":"2',
  'a"b\\': ['x,"y":1}', { a: 1 }, { a: [2, { a: 'a' }] }, []],
  a: { b: '{"a":', a: '\\' },
  é: 'á\u{1f600}',
  many: Array.from({ length: 150 }, () => []),
}

/** Proofs that differ from the documented one only in what is optional. */
const proofs: readonly (Variant & Pick<WrongProof, 'change'>)[] = [
  {
    what: 'A proof of half a minute ago',
    fix: 'Accept a proof whose iat is up to a few minutes ago: c_nonce shows that it is new.',
    level: 'practice',
    change: (proof) => withPayload({ iat: proof.now - 30 })(proof),
  },
  {
    what: 'A proof of a clock that is ten seconds fast',
    fix: 'Accept a proof whose iat is up to a minute in the future: set the clock tolerance of your JWT library.',
    level: 'practice',
    change: (proof) => withPayload({ iat: proof.now + 10 })(proof),
  },
  {
    what: 'A proof with iat in fractions of a second',
    fix: 'Accept fractions of a second in iat, exp and nbf of a proof: read them as numbers, not as integers.',
    change: (proof) => withPayload({ iat: proof.now - 0.5 })(proof),
  },
  {
    what: 'A proof that expires in a minute',
    fix: 'Accept exp in a proof, and compare it with the current time, in seconds.',
    change: (proof) => withPayload({ exp: proof.now + 60 })(proof),
  },
  {
    what: 'A proof whose validity began a minute ago',
    fix: 'Accept nbf in a proof, and compare it with the current time, in seconds.',
    change: (proof) => withPayload({ nbf: proof.now - 60 })(proof),
  },
  {
    what: 'A proof with the issuer as the only element of a list in aud',
    fix: 'Accept aud of a proof as credential_issuer, or as a list with only credential_issuer in it.',
    change: (proof) => withPayload({ aud: [proof.credentialIssuer] })(proof),
  },
  {
    what: 'A proof of a did:jwk with alg, use, kid and another order of members',
    fix: 'Read the JWK in a did:jwk with its optional members, in any order. Copy the DID of the proof unchanged to the credential: do not encode the JWK again.',
    change: (proof) => {
      const { algorithm: alg, privateKey } = proof.account
      const { kty, ...key } = publicJwkOf(privateKey)
      const jwk = { alg, use: 'sig', kid: 'kit', ...key, kty }
      return ofJwk(proof, jwk)
    },
  },
  {
    what: 'A proof with an unknown claim and an unknown header member',
    fix: 'Ignore unknown members of the payload and the header of a proof.',
    change: (proof) => ({
      ...withPayload({ kit_unknown_claim: nested })(proof),
      ...withHeader({ kit_unknown: 'meaningless' })(proof),
    }),
  },
]

/** Credential requests with the same content in another form. */
const requests: readonly (Variant & {
  readonly of: (session: Session) => Pick<HttpRequest, 'body' | 'headers' | 'json'>
})[] = [
  {
    what: 'A credential request with a charset in its content type',
    fix: 'Compare only the media type of Content-Type with application/json, and ignore its parameters, such as charset.',
    of: (session) => ({
      body: JSON.stringify(bodyOf(session)),
      headers: { 'content-type': 'application/json; charset=utf-8' },
    }),
  },
  {
    what: 'A credential request with spaces, escapes, an unknown member and another order of members',
    fix: 'Parse the body of a credential request with a JSON parser, and ignore unknown members.',
    of: (session) => ({
      body: JSON.stringify(
        Object.fromEntries(Object.entries({ ...bodyOf(session), nested }).reverse()),
        null,
        2,
      ).replace('jwt_vc_json', '\\u006awt_vc_json'),
      headers: { 'content-type': 'application/json' },
    }),
  },
  {
    what: 'A credential request with another order of types',
    fix: 'Compare types of a credential request with those of the offered entry as a set, in any order.',
    of: (session) => {
      const body = bodyOf(session)
      return { json: { ...body, types: [...body.types].reverse() } }
    },
  },
]

const bodyOf = (session: Session) => createRequestBody(session.wallet, session)

/** JSON of a portal with the same content in another form. */
const spellings: Readonly<Record<string, (json: object) => HttpRequest>> = {
  'a charset in the content type': (json) => ({
    body: JSON.stringify(json),
    headers: { 'content-type': 'application/json; charset=utf-8' },
  }),
  'white space and another order of members': (json) => ({
    body: `\r\n ${JSON.stringify(Object.fromEntries(Object.entries(json).reverse()), null, '\t')} \n`,
    headers: { 'content-type': 'application/json' },
  }),
  'unknown members': (json) => ({ json: { kit_unknown_member: null, ...json, nested } }),
}

const formType = 'application/x-www-form-urlencoded'

/** Writes every character of a value as an escape. */
const escaped = (text: string) =>
  [...Buffer.from(text)].map((byte) => `%${byte.toString(16).padStart(2, '0')}`).join('')

/** Token requests with the same content in another form. */
const forms: readonly (Variant & {
  readonly of: (form: Readonly<Record<string, string>>) => HttpRequest
})[] = [
  {
    what: 'A token request with its content type in another case',
    fix: 'Compare the media type of Content-Type without regard to case (RFC 9110, 8.3.1).',
    of: (form) => ({
      headers: { 'content-type': 'Application/X-WWW-Form-Urlencoded' },
      body: new URLSearchParams(form).toString(),
    }),
  },
  {
    what: 'A token request with a charset in its content type',
    fix: 'Compare only the media type of Content-Type with application/x-www-form-urlencoded, and ignore its parameters, such as charset.',
    of: (form) => ({
      body: new URLSearchParams(form).toString(),
      headers: { 'content-type': `${formType};charset=UTF-8` },
    }),
  },
  {
    what: 'A token request with escapes and another order of parameters',
    fix: 'Parse the body of a token request with a form parser: every character may be written as an escape, and parameters have no order.',
    of: (form) => ({
      body: Object.entries(form)
        .reverse()
        .map(([name, value]) => `${name}=${escaped(value)}`)
        .join('&'),
      headers: { 'content-type': formType },
    }),
  },
  {
    what: 'A token request with an empty tx_code',
    fix: 'Treat a parameter of the token request without a value as omitted (RFC 6749, 3.2).',
    level: 'final',
    of: (form) => ({ form: { ...form, tx_code: '' } }),
  },
]

export const checks = defineChecks<IssuerContext>({
  'I143-valid-proofs': {
    title: 'Proofs that differ only in what is optional are accepted',
    level: 'final',
    expectation: 'accept',
    control: 'offer',
    rows: ['1.resources-and-their-fields/proof-of-possession-jwt.2'],
    clauses: ['RFC 7519, 2', 'RFC 7519, 4', 'RFC 7519, 4.1.3', 'RFC 7515, 4', 'RFC 7517, 4'],
    description:
      'Wallets add claims, write a key in different ways, and their clocks differ by some seconds. An issuer that rejects their proofs excludes them, perhaps only sometimes.',
    sends: `${proofs.map(({ what }) => what).join('. ')}. Each with a new offer.`,
    decides:
      'The credential endpoint accepts each, and the subject of each credential is exactly the DID in iss. Rejecting a proof of half a minute ago or of ten seconds ahead is practice, the rest is from RFC 7515, RFC 7517 and RFC 7519.',
    fix: 'Accept fractions in iat, exp and nbf, and a list with only the issuer as aud. Tolerate clock differences of some seconds. Ignore unknown members of the payload, the header and the key in a did:jwk, and copy the DID unchanged to the credential.',
    run: (context) =>
      findEach(proofs, async ({ what, change, ...details }) => {
        const session = await openSession(context)
        const json = createBodyWith(session, change)
        const answer = await askForCredential(context, session, { json })
        const proof = parseJws(json.proof.jwt)
        const expected = proof.ok && proof.payload.iss
        const { subject: actual = expected } = credentialIn(answer) ?? {}
        return actual === expected
          ? findAcceptance(answer, what, details)
          : broken(`${what} yields a credential of another DID.`, {
              expected,
              actual,
              verdictSource: 'credentialSubject.id',
            })
      }),
  },
  'I144-other-forms': {
    title: 'Requests with the same content in another form are accepted',
    level: 'practice',
    expectation: 'accept',
    control: 'offer',
    clauses: ['RFC 6749, 3.2'],
    description:
      'HTTP libraries differ in charset, escapes and order. An issuer that depends on one of them excludes the wallets that use another one.',
    sends: `${[...requests, ...forms].map(({ what }) => what).join('. ')}. Each with a new offer.`,
    decides: 'The credential endpoint and the token endpoint accept each.',
    fix: 'Parse the content type, the JSON and the form with standard functions. Ignore parameters of the content type, the order of members and types, and parameters without a value.',
    async run(context) {
      const finding = await findEach(requests, async ({ what, of, ...details }) => {
        const session = await redeem(context)
        const { accessToken } = session.token
        const { headers, ...request } = of(session)
        const answer = await context.http.request(session.resolved.metadata.credentialEndpoint, {
          method: 'POST',
          ...request,
          headers: { ...headers, authorization: `Bearer ${accessToken}` },
        })
        return findAcceptance(answer, what, details)
      })
      if (finding.kind !== 'held') return finding
      return findEach(forms, async ({ what, of, ...details }) => {
        const { resolved } = await readOffer(context)
        const form = createTokenRequest({ preAuthorizedCode: resolved.preAuthorizedCode })
        return findAcceptance(await askForToken(context, resolved, of(form)), what, details)
      })
    },
  },
  'I179-portal-requests-in-other-forms': {
    title: 'Requests of portals with the same content in another form are accepted',
    level: 'practice',
    expectation: 'accept',
    control: 'portal',
    rows: [4, 5, 6, 7, 8].map((row) => `1.endpoints/credential-issuer.${row}`),
    clauses: ['RFC 8259, 4', 'RFC 9110, 8.3.1'],
    description:
      'Portals use other JSON libraries, and those of a later revision send more members. An issuer that expects one form serves one portal.',
    sends: `Requests of a portal with ${Object.keys(spellings).join(', with ')}: for the representative, the list and the types of a subject, with a mailbox also for an employee, and revocations of credentials that were issued for this.`,
    decides: 'Each is accepted. If the types of a subject are not found at all, they do not count.',
    fix: 'Parse the content type and the JSON at every endpoint for portals with standard functions. Ignore parameters of the content type, white space, the order of members, and unknown members.',
    needs: ['portal'],
    async run(context) {
      const signedIn = await signIn(context.portal())
      const { portal, headers } = signedIn
      const { mailbox } = portal
      const types = validBody('identifiers', portal)
      const { status } = await portal.post('identifiers', types, headers)
      const requests: Partial<Record<IssuanceEndpoint, () => unknown>> = {
        representative: () => validBody('representative', portal),
        credential: () => validBody('credential', portal),
        ...(classifyStatus(status) === 'accepted' && { identifiers: () => types }),
        ...(mailbox && {
          // An issuer may reject the same order while its offer is pending.
          employee: () => ({
            email: mailbox.email.replace('@', `${tag}.${randomBytes(4).toString('hex')}@`),
            power: smallPower(portal),
          }),
        }),
        'credential/revoke': async () => ({
          credential_id: await obtainOwnCredential(context, signedIn),
        }),
      }
      return findEach(Object.entries(requests), ([endpoint, createBody]) =>
        findEach(Object.entries(spellings), async ([what, spell]) => {
          const request = spell((await createBody()) as object)
          const answer = await portal.send(endpoint as IssuanceEndpoint, {
            ...request,
            headers: { ...request.headers, ...headers },
          })
          return findAcceptance(answer, `The request to /issuance/${endpoint} with ${what}`)
        }),
      )
    },
  },
  'I145-allowed-powers': {
    title: 'Every part of the allowed powers can be granted',
    level: 'practice',
    expectation: 'accept',
    rows: ['1.resources-and-their-fields/power-object.6', '1.endpoints/credential-issuer.4'],
    description:
      'An issuer that accepts only one form of a request makes portals grant more than is needed.',
    sends:
      'POST /issuance/representative with all allowed powers, with only one of them, with only one of its actions, with its actions in reverse order, and with an unknown member. If the target has a second organization, with all of its powers.',
    decides:
      'Each returns 200. A 5xx that is repeated while the list of records succeeds is not a success either. The profile only says what must be rejected.',
    fix: 'Accept every request whose powers are a subset of what the organization may grant, in any order. Ignore unknown members of a power.',
    needs: ['portal'],
    async run(context) {
      const portal = context.portal()
      const own = await signIn(portal)
      const other = portal.other && (await signIn(portal.other))
      const [all] = portal.other ? allowedPowers(portal.other) : []
      const requests = [
        ...allowedPowers(portal).map((variant) => ({ signedIn: own, ...variant })),
        ...(all && other
          ? [{ signedIn: other, ...all, what: 'The request of all powers of another organization' }]
          : []),
      ]
      await asPremise('listing credentials with the same token', listRecords(own))
      return findEach(requests, async ({ signedIn, what, power, ...details }) => {
        const { portal, headers } = signedIn
        const ask = () => portal.post('representative', { power }, headers)
        const answer = await ask()
        if (answer.status < 500) return findAcceptance(answer, what, details)
        await asPremise('listing credentials after that', listRecords(signedIn))
        const { status } = await ask()
        return status < 500
          ? inconclusive(`${what} failed only once: HTTP ${answer.status}.`)
          : broken(`${what} fails, while the list of records succeeds.`, {
              expected: 200,
              actual: status,
              verdictSource: 'HTTP status of /issuance/representative',
            })
      })
    },
  },
})

/** Enough to show whether one works. */
const mostPowers = 6

function allowedPowers({
  power: powers,
}: Portal): readonly (Variant & { readonly power: unknown })[] {
  const some = powers.slice(0, mostPowers)
  return [
    { what: 'The request of all allowed powers', power: powers },
    { what: 'The request of all powers in reverse order', power: [...powers].reverse() },
    ...some.flatMap((each, index) => [
      { what: `The request of the allowed power ${index + 1}`, power: [each] },
      {
        what: `The request of the power ${index + 1} with its actions in reverse order`,
        power: [{ ...each, action: [...each.action].reverse() }],
      },
      ...each.action.slice(0, mostPowers).map((action) => ({
        what: `The request of the action ${action} of the power ${index + 1}`,
        power: [{ ...each, action: [action] }],
      })),
    ]),
    {
      what: 'The request of powers with an unknown member',
      power: some.map((each) => ({ ...each, kit_unknown_member: 'meaningless' })),
    },
  ]
}
