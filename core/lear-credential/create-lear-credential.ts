import { toIsoTime } from '#core/verification/iso-time.ts'
import {
  credentialsContext,
  defaultCredentialType,
  inheritedTypes as learTypes,
  type Mandate,
} from './z-lear-credential.ts'

export interface CreateLearCredentialOptions {
  /** The credential_id, `urn:uuid:…`. */
  readonly id: string
  /** DID whose assertionMethod key signs. */
  readonly issuerDid: string
  /** DID that the holder proved to control. */
  readonly holderDid: string
  readonly mandate: Mandate
  /** Address of the issuer's accreditation in the TIR of the environment. */
  readonly termsOfUseUrl: string
  /** A status list entry; credentials without one can't be refused after revocation. */
  readonly credentialStatus?: object
  /** Address of the JSON Schema that the `vc` claim follows. */
  readonly credentialSchemaUrl?: string
  /** Unix seconds; the credential is valid from here on. */
  readonly now: number
  /** Unix seconds. */
  readonly validUntil: number
  /** Default: OrgPortalLearCredential. */
  readonly type?: string
  /** The types above it, outermost first. Default: those of a LEAR credential. */
  readonly inheritedTypes?: readonly string[]
}

/**
 * The JWT payload of a credential, to be signed with the header {alg ES256K, typ JWT, kid
 * `<issuer DID>#<vMethodId>`}. The times in the `vc` claim and in the JWT's own claims agree.
 *
 * @assumption A-26 A-27
 * @row 1.versioning.1
 */
export function createLearCredential(options: CreateLearCredentialOptions) {
  const { id, issuerDid, holderDid, mandate, now, validUntil } = options
  const { credentialStatus, credentialSchemaUrl } = options
  const { type = defaultCredentialType, inheritedTypes = learTypes } = options
  return {
    iss: issuerDid,
    sub: holderDid,
    jti: id,
    nbf: now,
    iat: now,
    exp: validUntil,
    vc: {
      '@context': [credentialsContext],
      id,
      type: [...inheritedTypes.filter((inherited) => inherited !== type), type],
      issuer: issuerDid,
      validFrom: toIsoTime(now),
      validUntil: toIsoTime(validUntil),
      credentialSubject: { id: holderDid, mandate },
      termsOfUse: { id: options.termsOfUseUrl, type: 'TrustedIssuersRegistryEntry' },
      ...(credentialStatus === undefined ? {} : { credentialStatus }),
      ...(credentialSchemaUrl === undefined
        ? {}
        : { credentialSchema: { id: credentialSchemaUrl, type: 'JsonSchema' } }),
    },
  }
}
