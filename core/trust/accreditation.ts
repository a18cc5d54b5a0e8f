import { z } from 'zod'
import { decodeBase64url } from '#core/crypto/base64url.ts'
import { privateJwkFromHex } from '#core/crypto/jwk.ts'
import { type ParsedJws, parseJws, signJws } from '#core/crypto/jws.ts'
import { credentialsContext, toIsoTime } from '#core/verification/data-model.ts'
import { createTermsOfUseUrl } from './tir-attribute.ts'

/** One entry of what a subject may issue, or accredit others to issue. */
const zAccreditedFor = z.looseObject({
  schemaId: z.string().optional(),
  types: z.array(z.string()).min(1),
})

/**
 * The payload of an accreditation: a JWT credential of the accrediting TAO about its subject.
 *
 * @assumption A-17
 */
export const zAccreditation = z.looseObject({
  iss: z.string(),
  sub: z.string().optional(),
  iat: z.number().optional(),
  nbf: z.number().optional(),
  exp: z.number().optional(),
  vc: z.looseObject({
    validFrom: z.string().optional(),
    validUntil: z.string().optional(),
    credentialSubject: z.looseObject({
      id: z.string(),
      reservedAttributeId: z.string(),
      accreditedFor: z.array(zAccreditedFor).min(1),
    }),
    termsOfUse: z.unknown().optional(),
  }),
})

type AccreditedFor = z.infer<typeof zAccreditedFor>
export type Accreditation = z.infer<typeof zAccreditation>

export interface CreateAccreditationOptions {
  /** `urn:uuid:…`, the credential's identifier. */
  readonly id: string
  /** DID of the accrediting TAO, whose assertionMethod key has to sign; a root accredits itself. */
  readonly issuerDid: string
  /** DID of the accredited organization. */
  readonly subjectDid: string
  /** The attribute that holds this accreditation, with or without 0x; equals the revisionId. */
  readonly attributeId: string
  readonly accreditedFor: readonly AccreditedFor[]
  /** The accreditation of `issuerDid`; for a root, this new accreditation. */
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

export interface SignAccreditationOptions {
  /** The accreditation's own id, `urn:uuid:…`. */
  readonly id: string
  readonly subjectDid: string
  /** The attribute that contains it: 64 hex digits without 0x, here and below. */
  readonly attributeId: string
  /** Credential types. */
  readonly types: readonly string[]
  /**
   * The accrediting organization: its DID, its own attribute, and its key in assertionMethod
   * (0x-hex).
   */
  readonly accreditor: {
    readonly did: string
    readonly attributeId: string
    readonly vMethodId: string
    readonly privateKey: string
  }
  readonly tirBaseUrl: string
  /** Unix seconds. */
  readonly now: number
  /** Unix seconds. */
  readonly validUntil: number
}

/**
 * Creates the JWT of an accreditation in the form that setAttributeData stores.
 *
 * @assumption A-17
 */
export function signAccreditation(options: SignAccreditationOptions): string {
  const { id, accreditor, types, subjectDid, attributeId } = options
  const { tirBaseUrl, now, validUntil } = options
  const payload = createAccreditation({
    id,
    issuerDid: accreditor.did,
    subjectDid,
    attributeId,
    accreditedFor: [{ types: [...types] }],
    parentAttributeId: accreditor.attributeId,
    tirBaseUrl,
    now,
    validUntil,
  })
  const kid = `${accreditor.did}#${accreditor.vMethodId}`
  const header = { alg: 'ES256K', typ: 'JWT', kid } as const
  return signJws({ header, payload, privateKey: privateJwkFromHex(accreditor.privateKey) })
}

/**
 * Reads the accreditation JWT in `attribute.body`. The profile calls it "accreditation JWT,
 * base64url", so both the JWT and its base64url encoding are accepted. Undefined if it is neither.
 *
 * @assumption A-17
 */
export function readAccreditationBody(body: string): ParsedJws | undefined {
  const bytes = body.includes('.') ? undefined : decodeBase64url(body)
  const jws = parseJws(bytes ? Buffer.from(bytes).toString('utf8') : body)
  return jws.ok ? jws : undefined
}
