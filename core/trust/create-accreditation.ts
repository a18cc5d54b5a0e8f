import { credentialsContext } from '#core/lear-credential/z-lear-credential.ts'
import { toIsoTime } from '#core/verification/iso-time.ts'
import { createTermsOfUseUrl } from './parse-terms-of-use.ts'
import type { AccreditedFor } from './z-accreditation.ts'

export interface CreateAccreditationOptions {
  /** `urn:uuid:…`, the credential's identifier. */
  readonly id: string
  /** DID of the accrediting TAO, whose assertionMethod key has to sign; a root accredits itself. */
  readonly issuerDid: string
  /** DID of who is accredited. */
  readonly subjectDid: string
  /** The attribute that holds this accreditation, with or without 0x; equals the revisionId. */
  readonly attributeId: string
  readonly accreditedFor: readonly AccreditedFor[]
  /** The accreditation that `issuerDid` acts by; for a root the one that is being made. */
  readonly parentAttributeId: string
  readonly tirBaseUrl: string
  /** Unix seconds. */
  readonly now: number
  /** Unix seconds. */
  readonly validUntil: number
}

/**
 * The JWT payload of an accreditation, to be signed with a key in the accrediting TAO's
 * assertionMethod (header: its alg, typ JWT, kid `<DID>#<vMethodId>`). The signed JWT's UTF-8 bytes
 * are the attributeData of the TIR.
 *
 * @assumption A-17
 */
export function createAccreditation(options: CreateAccreditationOptions) {
  const { id, issuerDid, subjectDid, attributeId, accreditedFor, now, validUntil } = options
  return {
    iss: issuerDid,
    sub: subjectDid,
    jti: id,
    nbf: now,
    iat: now,
    exp: validUntil,
    vc: {
      '@context': [credentialsContext],
      id,
      type: ['VerifiableCredential', 'VerifiableAccreditation'],
      issuer: issuerDid,
      validFrom: toIsoTime(now),
      validUntil: toIsoTime(validUntil),
      credentialSubject: {
        id: subjectDid,
        reservedAttributeId: withPrefix(attributeId),
        accreditedFor: accreditedFor.map((entry) => ({ ...entry, types: [...entry.types] })),
      },
      termsOfUse: {
        id: createTermsOfUseUrl(options.tirBaseUrl, {
          did: issuerDid,
          attributeId: options.parentAttributeId,
        }),
        type: 'TrustedIssuersRegistryEntry',
      },
    },
  }
}

function withPrefix(attributeId: string): string {
  return attributeId.startsWith('0x') ? attributeId : `0x${attributeId}`
}
