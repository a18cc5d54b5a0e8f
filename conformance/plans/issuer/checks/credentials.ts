import { parseIsoTime } from '#core/verification/data-model.ts'
import { typeChainOf } from '#wallet-emulator/actions/accept-offer.ts'
import { allHeld, broken, defineChecks, held, inconclusive } from '../../../kit/check.ts'
import { jsonAsPremise, requireJson } from '../../../kit/classify-answer.ts'
import {
  accreditationAddress,
  credentialIdOf,
  judgeCredential,
  obtainCredential,
} from '../credentials.ts'
import type { IssuerContext } from '../issuer-context.ts'

/** Nothing in the profile speaks of the beginning. */
const rulesOfBeginning = ['credential.not-before', 'credential.issued-at']

/** That the accreditation covers the type is I65. */
const isAboutChain = (rule: string) =>
  /^(accreditation|attribute|trust)\./.test(rule) && rule !== 'trust.accredited-for'

const urn = /^urn:uuid:[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i

export const checks = defineChecks<IssuerContext>({
  'I56-type-chain': {
    title: 'type holds every type of the inheritance chain',
    level: 'spec',
    expectation: 'accept',
    rows: ['1.resources-and-their-fields/credential-schema-rules-checked-on-presentation.4'],
    description:
      'A verifier that asks for one of the types above finds no credential otherwise, and one that knows the chain refuses it.',
    sends: 'Takes an offer as documented.',
    decides:
      'type is an array with every type of the offered entry of the metadata: the profile does not name the chain, the issuer does.',
    async run(context) {
      const { vc, entry } = await obtainCredential(context)
      const { type: actual } = vc
      const expected = entry.types
      const verdictSource = 'type of the credential'
      if (!Array.isArray(actual)) {
        return broken('type is no array.', { expected, actual, verdictSource })
      }
      const missing = expected.filter((type) => !actual.includes(type))
      return missing.length === 0
        ? held(`It holds ${expected.join(', ')}.`, { verdictSource })
        : broken(`It lacks ${missing.join(', ')}.`, { expected, actual, verdictSource })
    },
  },
  'I59-validity': {
    title: 'The credential is valid now, and says so twice alike',
    level: 'spec',
    expectation: 'accept',
    rows: ['1.resources-and-their-fields/credential-schema-rules-checked-on-presentation.5'],
    clauses: ['RFC 7519, 4.1'],
    description:
      'Some verifiers look at the claims of the JWT, others at the credential in it: both have to see the same period.',
    sends: 'Takes an offer as documented.',
    decides:
      'now is before validUntil, and before exp where it is there. That validFrom, nbf or iat lie ahead is a WARN, and so is that exp and validUntil, or nbf and validFrom, differ by more than a second.',
    async run(context) {
      const credential = await obtainCredential(context)
      const judge = (isAbout: (rule: string) => boolean) =>
        judgeCredential(context, credential, isAbout)
      const end = await judge((rule) => rule === 'credential.expiry')
      if (end.kind !== 'held') return end
      const beginning = await judge((rule) => rulesOfBeginning.includes(rule))
      if (beginning.kind !== 'held') return { ...beginning, level: 'practice' }
      const { vc, jws } = credential
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
    description:
      'Verifiers fetch no other address: with that of another environment, or of nothing, the issuer is not accredited.',
    sends: 'Takes an offer as documented, then GET of termsOfUse.id.',
    decides:
      "termsOfUse.id lies below the target's tirBaseUrl, names the DID of the issuer, and is answered 200.",
    needs: ['trust'],
    async run(context) {
      const credential = await obtainCredential(context)
      const finding = await judgeCredential(
        context,
        credential,
        (rule) => rule === 'credential.terms-of-use',
      )
      if (finding.kind !== 'held') return finding
      const id = accreditationAddress(context, credential)
      requireJson(await context.httpAs('verifier').request(id), 'The accreditation')
      return allHeld([finding, held(`${id} is there.`)])
    },
  },
  'I61-trust-chain': {
    title: 'The accreditation of the issuer holds, up to the root',
    level: 'spec',
    expectation: 'accept',
    rows: ['1.resources-and-their-fields/credential-schema-rules-checked-on-presentation.8'],
    description:
      'An issuer whose accreditation ended goes on in good faith, and every login with what it gave out fails.',
    sends: 'Takes an offer as documented, with a key that was never used before.',
    decides:
      "The attribute's did is the DID that kid names, and it is not REVOKED. What else is wrong with it is a WARN, since the profile does not say how a chain is walked: its body is signed by the TAO above it, and so on to one of the target's root DIDs. What types it covers is I65.",
    needs: ['trust'],
    async run(context) {
      const credential = await obtainCredential(context)
      const address = accreditationAddress(context, credential)
      const reading = context.httpAs('verifier').request(address)
      const { did, attribute } = await jsonAsPremise('The accreditation', reading)
      const issuerType = (attribute as { issuerType?: unknown } | undefined)?.issuerType
      const verdictSource = 'the attribute in the TIR'
      const issuer = String(credential.jws.header.kid).split('#')[0]
      if (did !== issuer) {
        const details = { expected: issuer, actual: did, verdictSource }
        return broken('The attribute is of another DID.', details)
      }
      if (issuerType === 'REVOKED') {
        return broken('The accreditation is revoked.', { actual: issuerType, verdictSource })
      }
      const chain = await judgeCredential(context, credential, isAboutChain)
      if (chain.kind !== 'held') return { ...chain, level: 'practice' }
      return allHeld([held(`It is ${issuerType}.`, { verdictSource }), chain])
    },
  },
  'I64-credential-id': {
    title: 'Each credential has a urn:uuid of its own as id',
    level: 'spec',
    expectation: 'accept',
    rows: ['1.resources-and-their-fields/issuedcredential.6'],
    description:
      'By its id a credential is revoked: two with one id end together, or one lives on.',
    sends: 'Takes two offers as documented.',
    decides:
      'The id in vc of both, or jti where vc has none, is urn:uuid: with a UUID, and they differ.',
    async run(context) {
      const one = credentialIdOf(await obtainCredential(context))
      const other = credentialIdOf(await obtainCredential(context))
      const verdictSource = 'id in the vc claims, or jti'
      for (const id of [one, other]) {
        if (typeof id === 'string' && urn.test(id)) continue
        const details = { expected: 'urn:uuid:…', actual: id, verdictSource }
        return broken('The id of a credential is no urn:uuid.', details)
      }
      return one === other
        ? broken('Two credentials have one id.', { actual: one, verdictSource })
        : held('Two credentials have two.', { verdictSource })
    },
  },
  'I65-accredited-for': {
    title: 'The accreditation covers the type that is issued',
    level: 'practice',
    expectation: 'advice',
    description:
      'An accreditation names the types that it is for. Verifiers that look refuse what was issued beyond it.',
    sends: 'Takes an offer as documented.',
    decides: 'accreditedFor in each accreditation up to the root has the type of the credential.',
    needs: ['trust'],
    async run(context) {
      const credential = await obtainCredential(context)
      const { type } = credential.vc
      if (!Array.isArray(type)) return inconclusive('The credential has no type: see I56.')
      const isAbout = (rule: string) => rule === 'trust.accredited-for'
      const offered = typeChainOf(credential.entry)
      const types = type.includes(offered.at(-1)) ? offered : type
      return judgeCredential(context, credential, isAbout, types)
    },
  },
  'I66-jti': {
    title: 'No two credentials share their jti',
    level: 'practice',
    expectation: 'advice',
    clauses: ['RFC 7519, 4.1.7'],
    description: 'Verifiers that remember what they saw by jti take the second one for a replay.',
    sends: 'Takes two offers as documented.',
    decides: 'jti of both differs, or is left out.',
    async run(context) {
      const [one, other] = [await obtainCredential(context), await obtainCredential(context)]
      const { jti } = one.jws.payload
      const verdictSource = 'jti of both credentials'
      if (jti === undefined) return held('They have none.', { verdictSource })
      return jti === other.jws.payload.jti
        ? broken('Two credentials have one jti.', { actual: jti, verdictSource })
        : held('They differ.', { verdictSource })
    },
  },
})
