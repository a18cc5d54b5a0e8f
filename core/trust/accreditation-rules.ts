import { type ParsedJws, verifyJws } from '#core/crypto/jws.ts'
import { registeredSuites } from '#core/crypto/suites.ts'
import { type DidDocument, findVerificationKey, hasRelationship } from '#core/did/did-document.ts'
import { isTime, parseIsoTime, skewSeconds } from '#core/verification/data-model.ts'
import type { Lookup, Rule, RuleReport } from '#core/verification/rules.ts'
import type { VerificationCache } from '#core/verification/verification-cache.ts'
import { type Accreditation, zAccreditation } from './accreditation.ts'
import { parseAttributeId, type TirAttribute } from './tir-attribute.ts'

/** One accreditation on the way up, with everything that its rules need. */
export interface TrustHop {
  /** 0 for the issuer's own accreditation, then upwards. */
  readonly index: number
  readonly did: string
  readonly attributeId: string
  readonly attribute: TirAttribute['attribute']
  /** Undefined if the body is not a JWT. */
  readonly body: ParsedJws | undefined
  /** The DID document of `attribute.tao`, as it is now. */
  readonly taoDocument: Lookup<DidDocument>
  /** The credential type that the accreditation must cover. */
  readonly credentialType: string
  /** Unix seconds. */
  readonly now: number
  readonly cache?: VerificationCache | undefined
}

const whenReadable =
  (evaluate: (hop: TrustHop, accreditation: Accreditation, report: RuleReport) => void) =>
  (hop: TrustHop, report: RuleReport) => {
    const accreditation = zAccreditation.safeParse(hop.body?.payload)
    if (accreditation.success) evaluate(hop, accreditation.data, report)
    else report.fail('the body in the TIR is not a valid accreditation')
  }

/**
 * The rules for the JWT of an accreditation, from any source.
 *
 * @assumption A-18
 */
export const trustBodyRules: readonly Rule<TrustHop>[] = [
  {
    rule: 'trust.signature',
    statement: 'The TAO that the TIR names signed the accreditation, with a key that is valid now.',
    fix: "Sign the accreditation with a key that is in the TAO's assertionMethod now. Set iss to the DID that the TIR names as tao, and kid to a key of that DID.",
    path: 'attribute.body',
    evaluate: verifyBodySignature,
  },
  {
    rule: 'trust.subject',
    statement: 'The subject of the accreditation is the DID under which the TIR stores it.',
    fix: 'Set vc.credentialSubject.id, and sub if it is present, to the DID under which the accreditation is published.',
    path: 'attribute.body.vc.credentialSubject.id',
    evaluate: whenReadable(({ did }, { sub, vc }, { fail }) => {
      const { id } = vc.credentialSubject
      if (id !== did) fail(`its subject is not ${did}`, undefined, id)
      if (sub !== undefined && sub !== did) {
        fail(`its subject is not ${did}`, 'attribute.body.sub', sub)
      }
    }),
  },
  {
    rule: 'trust.attribute-id',
    statement: 'The accreditation was created for the attribute that contains it.',
    fix: 'Set vc.credentialSubject.reservedAttributeId to the attributeId under which the accreditation is published.',
    path: 'attribute.body.vc.credentialSubject.reservedAttributeId',
    evaluate: whenReadable(({ attributeId }, { vc }, { fail }) => {
      const { reservedAttributeId } = vc.credentialSubject
      if (parseAttributeId(reservedAttributeId) !== attributeId) {
        fail('it was created for another attribute', undefined, reservedAttributeId)
      }
    }),
  },
  {
    rule: 'trust.period',
    statement: 'The accreditation is valid now.',
    fix: 'Publish a new revision of the accreditation with an exp or validUntil in the future, and an nbf and validFrom in the past.',
    path: 'attribute.body.exp',
    evaluate: whenReadable(({ now }, { exp, nbf, vc }, { fail }) => {
      const validUntil = parseIsoTime(vc.validUntil)
      const validFrom = parseIsoTime(vc.validFrom)
      if (vc.validUntil !== undefined && validUntil === undefined) {
        fail('it is not a valid time', 'attribute.body.vc.validUntil', vc.validUntil)
      }
      if (vc.validFrom !== undefined && validFrom === undefined) {
        fail('it is not a valid time', 'attribute.body.vc.validFrom', vc.validFrom)
      }
      for (const [claim, time] of Object.entries({ exp, nbf })) {
        if (time !== undefined && !isTime(time)) {
          fail('it is not a valid time', `attribute.body.${claim}`, time)
        }
      }
      if (exp === undefined && validUntil === undefined) fail('it has no expiry date')
      if ((exp ?? Number.POSITIVE_INFINITY) <= now) fail('it has expired', undefined, exp)
      if ((validUntil ?? Number.POSITIVE_INFINITY) < now) {
        fail('its validUntil is in the past', 'attribute.body.vc.validUntil', vc.validUntil)
      }
      if ((nbf ?? 0) > now + skewSeconds) {
        fail('it is not valid yet', 'attribute.body.nbf', nbf)
      }
      if ((validFrom ?? 0) > now + skewSeconds) {
        fail('it is not valid yet', 'attribute.body.vc.validFrom', vc.validFrom)
      }
    }),
  },
  {
    rule: 'trust.accredited-for',
    statement: 'The accreditation covers the type of the credential.',
    fix: 'Add the credential type to types in an entry of vc.credentialSubject.accreditedFor, and publish the new revision.',
    path: 'attribute.body.vc.credentialSubject.accreditedFor',
    evaluate: whenReadable(({ credentialType, did }, { vc }, { fail }) => {
      const { accreditedFor } = vc.credentialSubject
      if (!accreditedFor.some(({ types }) => types.includes(credentialType))) {
        fail(`${did} is not accredited for ${credentialType}`)
      }
    }),
  },
]

/**
 * The rules for each accreditation between an issuer and the root.
 *
 * @assumption A-18
 */
export const accreditationRules: readonly Rule<TrustHop>[] = [
  {
    rule: 'trust.not-revoked',
    statement: 'The accreditation is not revoked now.',
    fix: 'Publish a new accreditation under a new attributeId. A revocation is permanent.',
    path: 'attribute.issuerType',
    evaluate: ({ did, attribute }, { fail }) => {
      if (attribute.issuerType === 'REVOKED') fail(`the accreditation of ${did} is revoked`)
    },
  },
  {
    rule: 'trust.role',
    statement: 'Only a TAO or the RTAO accredits other organizations.',
    fix: 'Have a TAO or the RTAO issue the accreditation. An organization whose issuerType is TI may only issue credentials.',
    path: 'attribute.issuerType',
    evaluate: ({ index, did, attribute }, { fail }) => {
      if (index > 0 && attribute.issuerType === 'TI')
        fail(`${did} may issue credentials but may not accredit`)
    },
  },
  ...trustBodyRules,
]

function verifyBodySignature(
  { attribute, body, taoDocument, cache }: TrustHop,
  { fail, lack }: RuleReport,
) {
  const { tao } = attribute
  const kid = body?.header.kid
  if (body && body.payload.iss !== tao) {
    fail(`its issuer is not the TAO ${tao}`, 'attribute.body.iss', body.payload.iss)
  }
  if (!body) {
    fail('the body in the TIR is not a JWT')
  } else if (typeof kid !== 'string' || kid.split('#')[0] !== tao) {
    fail(`its kid does not name a key of the TAO ${tao}`, 'attribute.body.header.kid', kid)
  } else if (!taoDocument.ok) {
    lack(taoDocument, `the DID document of the TAO ${tao} is not available: ${taoDocument.reason}`)
  } else if (!hasRelationship(taoDocument.value, kid, 'assertionMethod')) {
    fail('its key is not in the assertionMethod of the TAO now', 'attribute.body.header.kid', kid)
  } else if (!isSignedBy(body, taoDocument.value, kid, cache)) {
    fail("its signature does not verify with the TAO's key")
  }
}

function isSignedBy(
  body: ParsedJws,
  document: DidDocument,
  kid: string,
  cache: VerificationCache | undefined,
): boolean {
  const publicKey = findVerificationKey(document, kid)
  return (
    publicKey !== undefined &&
    verifyJws({ jws: body, publicKey, algorithms: registeredSuites, cache, remember: true })
  )
}
