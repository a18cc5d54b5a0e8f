import { z } from 'zod'
import { parseJws } from '#core/crypto/jws.ts'
import { membersOf } from '#core/json/json-object.ts'
import { zImmediateCredentialResponse } from '#core/oid4vci/credential-response.ts'
import { parseIsoTime } from '#core/verification/data-model.ts'
import { typeChainOf } from '#wallet-emulator/actions/accept-offer.ts'
import { broken, defineChecks, endCheck, held, inconclusive } from '../../../kit/check.ts'
import { asPremise, jsonAsPremise, requireJson } from '../../../kit/classify-answer.ts'
import { allHeld, findEach } from '../../../kit/find-each.ts'
import type { IssuerContext } from '../context.ts'
import {
  accreditationAddress,
  credentialIdOf,
  defer,
  evaluateCredential,
  type ObtainedCredential,
  obtainCredential,
} from '../credentials.ts'
import { requestOwnOffer, signIn } from '../portal-steps.ts'
import { entryOf } from '../redeeming.ts'

/** The profile does not specify the start of the validity. */
const rulesOfBeginning = ['credential.not-before', 'credential.issued-at']

/** Whether the accreditation covers the type is I65. */
const isAboutChain = (rule: string) =>
  /^(accreditation|attribute|trust)\./.test(rule) && rule !== 'trust.accredited-for'

const zSchemas = z.array(z.looseObject({ type: z.string().min(1), id: z.url() })).min(1)

const urn = /^urn:uuid:[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i

export const checks = defineChecks<IssuerContext>({
  'I56-type-chain': {
    title: 'type contains every type of the inheritance chain',
    level: 'spec',
    expectation: 'accept',
    rows: ['1.resources-and-their-fields/credential-schema-rules-checked-on-presentation.4'],
    description:
      'Otherwise a verifier that requests one of the supertypes finds no credential, and a verifier that knows the chain rejects it.',
    sends: 'Accepts an offer as documented.',
    decides:
      'type is an array with every type of the offered entry of the metadata: the issuer defines the chain, not the profile.',
    fix: 'Make vc.type an array with every element of types of the offered entry in credentials_supported.',
    async run(context) {
      const { vc, entry } = await obtainCredential(context)
      const { type: actual } = vc
      const expected = entry.types
      const verdictSource = 'type of the credential'
      if (!Array.isArray(actual)) {
        return broken('type is not an array.', { expected, actual, verdictSource })
      }
      const missing = expected.filter((type) => !actual.includes(type))
      return missing.length === 0
        ? held(`It contains ${expected.join(', ')}.`, { verdictSource })
        : broken(`It lacks ${missing.join(', ')}.`, { expected, actual, verdictSource })
    },
  },
  'I59-validity': {
    title: 'The credential is valid now, with the same period in both places',
    level: 'spec',
    expectation: 'accept',
    rows: ['1.resources-and-their-fields/credential-schema-rules-checked-on-presentation.5'],
    clauses: ['RFC 7519, 4.1'],
    description:
      'Some verifiers use the claims of the JWT, others the credential in it: both must see the same period.',
    sends: 'Accepts an offer as documented.',
    decides:
      'now is before validUntil, and before exp if present. A missing validUntil is a WARN. So are a validFrom, nbf or iat in the future, and a difference of more than one second between exp and validUntil, or nbf and validFrom.',
    fix: 'Set validUntil and exp to the same time in the future, and validFrom and nbf to the same time, not later than now. Set iat to the signing time.',
    async run(context) {
      const credential = await obtainCredential(context)
      const evaluate = (isAbout: (rule: string) => boolean) =>
        evaluateCredential(context, credential, isAbout)
      const end = await evaluate((rule) => rule === 'credential.expiry')
      if (end.kind !== 'held') return end
      const beginning = await evaluate((rule) => rulesOfBeginning.includes(rule))
      if (beginning.kind !== 'held') return { ...beginning, level: 'practice' }
      const { vc, jws } = credential
      if (vc.validUntil === undefined) {
        const details = { level: 'practice', verdictSource: 'the credential' } as const
        return broken('The credential has no validUntil.', details)
      }
      const pairs = [
        ['exp', 'validUntil'],
        ['nbf', 'validFrom'],
      ] as const
      for (const [claim, member] of pairs) {
        const seconds = jws.payload[claim]
        const time = parseIsoTime(vc[member])
        if (typeof seconds !== 'number' || time === undefined) continue
        if (Math.abs(seconds - time) <= 1) continue
        return broken(`${claim} and ${member} do not agree.`, {
          expected: vc[member],
          actual: new Date(seconds * 1000).toISOString(),
          verdictSource: 'the credential',
          level: 'practice',
        })
      }
      return allHeld([end, beginning])
    },
  },
  'I60-terms-of-use': {
    title: "termsOfUse points to the issuer's accreditation in the TIR of the environment",
    level: 'spec',
    expectation: 'accept',
    rows: [
      '1.resources-and-their-fields/credential-schema-rules-checked-on-presentation.8',
      '1.errors.13',
    ],
    clauses: ['W3C VC Data Model 2.0, 5.5'],
    description:
      'Verifiers fetch only this address: if it belongs to a different environment or does not exist, the issuer is not accredited.',
    sends: 'Accepts an offer as documented, then GET of termsOfUse.id.',
    decides:
      "termsOfUse.id is below the target's tirBaseUrl, contains the DID of the issuer, and returns 200. A termsOfUse without a type is a WARN, and so is a credential without iss: the profile does not specify it.",
    fix: "Set termsOfUse.id to the address of the issuer's attribute in the TIR of this environment, with the issuer's DID, and check that GET returns 200.",
    needs: ['trust'],
    async run(context) {
      const credential = await obtainCredential(context)
      const finding = await evaluateCredential(
        context,
        credential,
        (rule) => rule === 'credential.terms-of-use',
      )
      if (finding.kind !== 'held') {
        const { iss } = credential.jws.payload
        return { ...finding, ...(iss === undefined && { level: 'practice' }) }
      }
      const id = accreditationAddress(context, credential)
      requireJson(await context.httpAs('verifier').request(id), 'The accreditation')
      const { termsOfUse } = credential.vc
      const terms: unknown[] = Array.isArray(termsOfUse) ? termsOfUse : [termsOfUse]
      if (!terms.every((each) => membersOf(each).type)) {
        const details = { level: 'practice', verdictSource: 'the credential' } as const
        return broken('termsOfUse has no type.', { ...details, actual: termsOfUse })
      }
      return allHeld([finding, held(`${id} exists.`)])
    },
  },
  'I61-trust-chain': {
    title: 'The accreditation of the issuer is valid, up to the root',
    level: 'spec',
    expectation: 'accept',
    rows: ['1.resources-and-their-fields/credential-schema-rules-checked-on-presentation.8'],
    description:
      'An issuer without a valid accreditation continues in good faith, and every login with its credentials fails.',
    sends: 'Accepts an offer as documented, with a new key.',
    decides:
      "The attribute's did is the DID in kid, and it is not REVOKED. Any other problem is a WARN, since the profile does not specify how to verify a chain: its body is signed by the TAO above it, and so on up to one of the target's root DIDs. I65 checks the types that it covers.",
    fix: 'Publish a valid accreditation for the DID in kid, signed by its TAO, and point termsOfUse.id to it. A revoked accreditation needs a new one. Check the chain up to the root with testbed verify.',
    needs: ['trust'],
    async run(context) {
      const credential = await obtainCredential(context)
      const address = accreditationAddress(context, credential)
      const reading = context.httpAs('verifier').request(address)
      const { did, attribute } = await jsonAsPremise('the accreditation', reading)
      const issuerType = (attribute as { issuerType?: unknown } | undefined)?.issuerType
      const verdictSource = 'the attribute in the TIR'
      const issuer = String(credential.jws.header.kid).split('#')[0]
      if (did !== issuer) {
        const details = { expected: issuer, actual: did, verdictSource }
        return broken('The did of the attribute does not match.', details)
      }
      if (issuerType === 'REVOKED') {
        return broken('The accreditation is revoked.', { actual: issuerType, verdictSource })
      }
      const chain = await evaluateCredential(context, credential, isAboutChain)
      if (chain.kind !== 'held') return { ...chain, level: 'practice' }
      return allHeld([held(`It is ${issuerType}.`, { verdictSource }), chain])
    },
  },
  'I64-credential-id': {
    title: 'Each credential has a unique urn:uuid as id',
    level: 'spec',
    expectation: 'accept',
    rows: ['1.resources-and-their-fields/issuedcredential.6'],
    description:
      'A credential is revoked by its id: with the same id, two credentials would be revoked together, or one would remain valid.',
    sends: 'Accepts two offers as documented.',
    decides:
      'The id in vc of both, or jti if vc has none, is urn:uuid: with a UUID, and they differ.',
    fix: 'Set vc.id of each credential to urn:uuid: and a new random UUID.',
    async run(context) {
      const one = credentialIdOf(await obtainCredential(context))
      const other = credentialIdOf(await obtainCredential(context))
      const verdictSource = 'id in the vc claims, or jti'
      for (const id of [one, other]) {
        if (typeof id === 'string' && urn.test(id)) continue
        const details = { expected: 'urn:uuid:…', actual: id, verdictSource }
        return broken('The id of a credential is not a urn:uuid.', details)
      }
      return one === other
        ? broken('Two credentials have the same id.', { actual: one, verdictSource })
        : held('Two credentials have different ids.', { verdictSource })
    },
  },
  'I65-accredited-for': {
    title: 'The accreditation covers the issued type',
    level: 'practice',
    expectation: 'advice',
    description:
      'An accreditation lists its types. Verifiers that check it reject credentials of other types.',
    sends: 'Accepts an offer as documented.',
    decides:
      'accreditedFor in each accreditation up to the root contains the type of the credential.',
    fix: 'Ask the TAO to accredit the issuer for the type of the credential: accreditedFor must contain it in each accreditation up to the root.',
    needs: ['trust'],
    async run(context) {
      const credential = await obtainCredential(context)
      const { type } = credential.vc
      if (!Array.isArray(type)) return inconclusive('The credential has no type: see I56.')
      const isAbout = (rule: string) => rule === 'trust.accredited-for'
      const offered = typeChainOf(credential.entry)
      const types = type.includes(offered.at(-1)) ? offered : type
      return evaluateCredential(context, credential, isAbout, types)
    },
  },
  'I165-credential-schema': {
    title: 'A credentialSchema has a type and an address',
    level: 'final',
    expectation: 'accept',
    clauses: ['W3C VC Data Model 2.0, 4.11'],
    description:
      'Libraries that validate the data model reject a credential whose credentialSchema is incomplete.',
    sends: 'Accepts an offer as documented.',
    decides:
      'The credential has no credentialSchema, or each element has a type, a non-empty string, and an id, a URL.',
    fix: 'Set credentialSchema to an object with type, such as JsonSchema, and id, the URL of the schema. Otherwise omit it.',
    async run(context) {
      const { credentialSchema } = (await obtainCredential(context)).vc
      const verdictSource = 'credentialSchema of the credential'
      if (credentialSchema === undefined) return held('It has none.', { verdictSource })
      const schemas = zSchemas.safeParse([credentialSchema].flat())
      return schemas.success
        ? held('It has a type and an address.', { verdictSource })
        : broken('credentialSchema has no type, or its id is not a URL.', {
            expected: '{type, id}',
            actual: credentialSchema,
            verdictSource,
          })
    },
  },
  'I170-jwt-type': {
    title: 'typ of the credential is that of a JWT',
    level: 'practice',
    expectation: 'advice',
    clauses: ['RFC 7519, 5.1'],
    description:
      'Libraries that distinguish JWTs by their typ reject a credential that claims to be something else.',
    sends: 'Accepts an offer as documented.',
    decides: 'The header has no typ, or typ is JWT or a media type that ends in jwt.',
    fix: 'Set typ in the header of the credential to JWT or vc+jwt, or omit it.',
    async run(context) {
      const { typ } = (await obtainCredential(context)).jws.header
      const verdictSource = 'typ in the header of the credential'
      return typ === undefined || /^([\w.+-]+\/)?([\w.-]+\+)?jwt$/i.test(String(typ))
        ? held(`It is ${typ}.`, { verdictSource })
        : broken('typ is not that of a JWT.', { expected: 'JWT', actual: typ, verdictSource })
    },
  },
  'I66-jti': {
    title: 'No two credentials have the same jti',
    level: 'practice',
    expectation: 'advice',
    clauses: ['RFC 7519, 4.1.7'],
    description: 'Verifiers that store jti values mistake the second credential for a replay.',
    sends: 'Accepts two offers as documented.',
    decides: 'The jti values differ, or are absent.',
    fix: 'Set jti to a different value for each credential, or omit it.',
    async run(context) {
      const [one, other] = [await obtainCredential(context), await obtainCredential(context)]
      const { jti } = one.jws.payload
      const verdictSource = 'jti of both credentials'
      if (jti === undefined) return held('Neither has a jti.', { verdictSource })
      return jti === other.jws.payload.jti
        ? broken('Two credentials have the same jti.', { actual: jti, verdictSource })
        : held('They differ.', { verdictSource })
    },
  },
  'I176-every-offer': {
    title: 'The credential of every kind of offer meets the rules of verifiers',
    level: 'practice',
    expectation: 'accept',
    rows: ['1.resources-and-their-fields/credential-schema-rules-checked-on-presentation.6'],
    description:
      'An issuer often creates a deferred credential, or one for a portal, in other code than the usual one. A mistake there shows only when the holder logs in.',
    sends:
      'Accepts an offer of create-offer, then those that the target supports: by reference, with a PIN, of the portal, and, if the clock can be moved, with a deferred credential.',
    decides:
      'Each credential meets all rules of verifiers that the credential of create-offer meets: signature, issuer, types, validity, holder, powers, accreditation and status.',
    fix: 'Create the credentials of all offers in the same code: deferred ones, and those that a portal orders, with the same members, key and validity as all other ones.',
    needs: ['trust'],
    async run(context) {
      const usual = await obtainCredential(context)
      const first = await evaluateCredential(context, usual, () => true)
      if (first.kind === 'inconclusive') return first
      const known = first.failures?.map(({ rule }) => rule) ?? []
      const kinds = (['reference', 'pin'] as const).filter((kind) => context.can(kind))
      const offers = [
        ...kinds.map((kind) => ({ what: kind, obtain: () => obtainCredential(context, { kind }) })),
        ...(context.can('portal')
          ? [{ what: 'portal', obtain: () => obtainOfPortal(context) }]
          : []),
        ...(context.can('deferred') && context.can('clock')
          ? [{ what: 'deferred', obtain: () => obtainDeferred(context) }]
          : []),
      ]
      return findEach(offers, async ({ what, obtain }) => {
        const isNew = (rule: string) => !known.includes(rule)
        const finding = await evaluateCredential(context, await obtain(), isNew)
        const found =
          finding.kind === 'held' ? 'its credential meets the same rules.' : finding.reason
        return { ...finding, reason: `Offer (${what}): ${found}` }
      })
    },
  },
})

async function obtainOfPortal(context: IssuerContext): Promise<ObtainedCredential> {
  const ordering = requestOwnOffer(await signIn(context.portal()))
  const made = await asPremise('requesting a credential (see I62)', ordering)
  return obtainCredential(context, { made })
}

async function obtainDeferred(context: IssuerContext): Promise<ObtainedCredential> {
  const { session, poll } = await defer(context)
  const entry = entryOf(session.resolved)
  await context.advanceClock(context.deferredSeconds + 1)
  const answer = zImmediateCredentialResponse.safeParse((await poll()).json)
  const jwt = answer.data?.credential ?? ''
  const jws = parseJws(jwt)
  if (!jws.ok) endCheck(inconclusive('The deferred credential was not delivered: see I68.'))
  return { jwt, jws, vc: membersOf(jws.payload.vc), entry, wallet: session.wallet }
}
