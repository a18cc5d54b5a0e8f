import { type ParsedJws, verifyJws } from '#core/crypto/jws.ts'
import { registeredSuites } from '#core/crypto/suites.ts'
import { type DidDocument, findVerificationKey, hasRelationship } from '#core/did/did-document.ts'
import { parseIsoTime } from '#core/verification/data-model.ts'
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
  /** Undefined where the body is no JWT. */
  readonly body: ParsedJws | undefined
  /** The DID document of `attribute.tao`, as it is now. */
  readonly taoDocument: Lookup<DidDocument>
  /** The credential type that the accreditation has to cover. */
  readonly credentialType: string
  /** Unix seconds. */
  readonly now: number
  readonly cache?: VerificationCache | undefined
}

const skewSeconds = 60

const whenReadable =
  (evaluate: (hop: TrustHop, accreditation: Accreditation, report: RuleReport) => void) =>
  (hop: TrustHop, report: RuleReport) => {
    const accreditation = zAccreditation.safeParse(hop.body?.payload)
    if (accreditation.success) evaluate(hop, accreditation.data, report)
    else report.fail('the body in the TIR is no accreditation')
  }

/**
 * What has to hold for the JWT of an accreditation, whoever hands it over.
 *
 * @assumption A-18
 */
export const trustBodyRules: readonly Rule<TrustHop>[] = [
  {
    rule: 'trust.signature',
    statement: 'The accreditation is signed by the TAO that the TIR names, with a key valid now.',
    path: 'attribute.body',
    evaluate: verifyBodySignature,
  },
  {
    rule: 'trust.subject',
    statement: 'The accreditation is about the DID under which the TIR holds it.',
    path: 'attribute.body.vc.credentialSubject.id',
    evaluate: whenReadable(({ did }, { sub, vc }, { fail }) => {
      const { id } = vc.credentialSubject
      if (id !== did) fail(`it is about another DID than ${did}`, undefined, id)
      if (sub !== undefined && sub !== did) {
        fail(`it is about another DID than ${did}`, 'attribute.body.sub', sub)
      }
    }),
  },
  {
    rule: 'trust.attribute-id',
    statement: 'The accreditation was made for the attribute that holds it.',
    path: 'attribute.body.vc.credentialSubject.reservedAttributeId',
    evaluate: whenReadable(({ attributeId }, { vc }, { fail }) => {
      const { reservedAttributeId } = vc.credentialSubject
      if (parseAttributeId(reservedAttributeId) !== attributeId) {
        fail('it was made for another attribute', undefined, reservedAttributeId)
      }
    }),
  },
  {
    rule: 'trust.period',
    statement: 'The accreditation is valid now.',
    path: 'attribute.body.exp',
    evaluate: whenReadable(({ now }, { exp, nbf, vc }, { fail }) => {
      const validUntil = parseIsoTime(vc.validUntil)
      const validFrom = parseIsoTime(vc.validFrom)
      if (vc.validUntil !== undefined && validUntil === undefined) {
        fail('it is no time', 'attribute.body.vc.validUntil', vc.validUntil)
      }
      if (vc.validFrom !== undefined && validFrom === undefined) {
        fail('it is no time', 'attribute.body.vc.validFrom', vc.validFrom)
      }
      if (exp === undefined && validUntil === undefined) fail('it names no end of its validity')
      if ((exp ?? Number.POSITIVE_INFINITY) <= now) fail('it has expired', undefined, exp)
      if ((validUntil ?? Number.POSITIVE_INFINITY) < now) {
        fail('it is past its validUntil', 'attribute.body.vc.validUntil', vc.validUntil)
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
 * What has to hold for each accreditation between an issuer and the root.
 *
 * @assumption A-18
 */
export const accreditationRules: readonly Rule<TrustHop>[] = [
  {
    rule: 'trust.not-revoked',
    statement: 'The accreditation is not revoked now.',
    path: 'attribute.issuerType',
    evaluate: ({ did, attribute }, { fail }) => {
      if (attribute.issuerType === 'REVOKED') fail(`the accreditation of ${did} is revoked`)
    },
  },
  {
    rule: 'trust.role',
    statement: 'Whoever accredits others is a TAO or the RTAO.',
    path: 'attribute.issuerType',
    evaluate: ({ index, did, attribute }, { fail }) => {
      if (index > 0 && attribute.issuerType === 'TI') fail(`${did} may issue, but not accredit`)
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
    fail('the body in the TIR is no JWT')
  } else if (typeof kid !== 'string' || kid.split('#')[0] !== tao) {
    fail(`its kid names no key of the TAO ${tao}`, 'attribute.body.header.kid', kid)
  } else if (!taoDocument.ok) {
    lack(taoDocument, `the DID document of the TAO ${tao}: ${taoDocument.reason}`)
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
