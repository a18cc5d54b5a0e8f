import { privateJwkFromHex } from '#core/crypto/create-private-jwk.ts'
import { signJws } from '#core/crypto/sign-jws.ts'
import { createAccreditation } from '#core/trust/create-accreditation.ts'

export interface SignAccreditationOptions {
  /** The accreditation's own id, `urn:uuid:…`. */
  readonly id: string
  readonly subjectDid: string
  /** The attribute that holds it, 64 hex digits without 0x here and below. */
  readonly attributeId: string
  /** Credential types. */
  readonly types: readonly string[]
  /** Who accredits: its DID, its own attribute, and its key in assertionMethod (0x-hex). */
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
 * The JWT of an accreditation, as setAttributeData stores it.
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
