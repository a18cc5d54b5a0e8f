import { randomUUID } from 'node:crypto'
import type { PrivateJwk } from '#core/crypto/jwk.ts'
import { createLearCredential, type Mandate } from '#core/lear-credential/lear-credential.ts'
import { createTermsOfUseUrl } from '#core/trust/tir-attribute.ts'
import { accreditationDefects } from './accreditation-defects.ts'
import { contentDefects, periodDefects, statusDefects } from './content-defects.ts'
import {
  type CredentialChange,
  type Defect,
  type DefectWorld,
  signWithIssuerKey,
} from './defect.ts'
import { signatureDefects } from './signature-defects.ts'

export interface CredentialWithDefectOptions {
  /** The defect; by default none. */
  readonly defect?: Defect | undefined
  readonly world: DefectWorld
  /** The issuer's key and its DID URL. */
  readonly signer: { readonly kid: string; readonly privateKey: PrivateJwk }
  readonly holderDid: string
  readonly mandate: Mandate
}

const validitySeconds = 365 * 86_400

/** Creates a credential, normally a JWT, that is valid except for its defect. */
export function createCredentialWithDefect(options: CredentialWithDefectOptions): string {
  const { defect, world, signer, holderDid, mandate } = options
  const { now, tirBaseUrl, type, inheritedTypes, issuer } = world
  const good = createLearCredential({
    id: `urn:uuid:${randomUUID()}`,
    issuerDid: issuer.did,
    holderDid,
    mandate,
    termsOfUseUrl: createTermsOfUseUrl(tirBaseUrl, issuer),
    now,
    validUntil: now + validitySeconds,
    type,
    inheritedTypes,
  })
  const { header, payload } = applyChange(
    signer.kid,
    good,
    defect?.change?.({ ...world, holderDid }) ?? {},
  )
  const { sign = signWithIssuerKey, afterwards = (credential: string) => credential } = defect ?? {}
  return afterwards(sign(header, payload, signer.privateKey))
}

/** Members with the value undefined are left out of the JSON. */
function applyChange(
  kid: string,
  good: ReturnType<typeof createLearCredential>,
  { header, claims, vc, subject, mandate }: CredentialChange,
) {
  const { credentialSubject } = good.vc
  return {
    header: { alg: 'ES256K', typ: 'JWT', kid, ...header } as const,
    payload: {
      ...good,
      vc: {
        ...good.vc,
        credentialSubject: {
          ...credentialSubject,
          mandate: { ...credentialSubject.mandate, ...mandate },
          ...subject,
        },
        ...vc,
      },
      ...claims,
    },
  }
}

/** Every defect that a credential can be ordered with. Names are stable. */
export const allDefects: readonly Defect[] = [
  ...contentDefects,
  ...periodDefects,
  ...signatureDefects,
  ...accreditationDefects,
  ...statusDefects,
]

export function findDefect(name: string): Defect | undefined {
  return allDefects.find((defect) => defect.name === name)
}

/** @throws TypeError if no defect has this name */
export function requireDefect(name: string): Defect {
  const defect = findDefect(name)
  if (defect === undefined) throw new TypeError(`There is no defect ${name}`)
  return defect
}
