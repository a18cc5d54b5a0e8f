import { randomBytes, randomUUID } from 'node:crypto'
import { createPrivateJwk, privateJwkFromHex } from '#core/crypto/create-private-jwk.ts'
import { createHolderDid } from '#core/crypto/holder-did.ts'
import { publicJwkOf } from '#core/crypto/public-jwk-of.ts'
import { createLearCredential } from '#core/lear-credential/create-lear-credential.ts'
import type { Mandate } from '#core/lear-credential/z-lear-credential.ts'
import { createTermsOfUseUrl } from '#core/trust/parse-terms-of-use.ts'
import { type EnvironmentContext, tirBaseUrlOf } from '../compose/environment-context.ts'
import { mainCredentialTypeOf } from '../compose/main-credential-type.ts'
import type { Accredited } from '../deploy/create-environment-keys.ts'
import { createIdentity } from '../deploy/create-identity.ts'
import type { CredentialChange, Defect, DefectWorld } from './defect.ts'
import { defectiveIdentity } from './defective-identity.ts'
import { signWithIssuerKey } from './sign-draft.ts'

export interface DefectiveCredentialOrder {
  readonly defect: Defect
  readonly holderDid: string
  readonly mandate: Mandate
  /** The credentialStatus of a revoked credential, where the defect is about one. */
  readonly revokedStatus?: Record<string, unknown> | undefined
}

const validitySeconds = 365 * 86_400

/** Makes a credential that is good but for the one thing that its defect changes: a JWT as a rule. */
export function createDefectiveCredential(
  context: EnvironmentContext,
  { defect, holderDid, mandate, revokedStatus }: DefectiveCredentialOrder,
): string {
  const issuer = defect.issuer ? defectiveIdentity(context, defect.issuer) : context.keys.issuer
  const world = createWorld(context, issuer, revokedStatus)
  const { now, tirBaseUrl, type, inheritedTypes } = world
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
  const kid = `${issuer.did}#${issuer.vMethodId}`
  const { header, payload } = applyChange(kid, good, defect.change?.(world) ?? {})
  const { sign = signWithIssuerKey, afterwards = (credential) => credential } = defect
  return afterwards(sign(header, payload, privateJwkFromHex(issuer.privateKey)))
}

function createWorld(
  context: EnvironmentContext,
  issuer: Accredited,
  revokedStatus: Record<string, unknown> | undefined,
): DefectWorld {
  const { environment, keys, urls, runtime } = context
  const somebody = createPrivateJwk('secp256k1', randomBytes(32))
  const otherHolder = createHolderDid({ method: 'key', publicKey: publicJwkOf(somebody) })
  const { vcType: type, inheritedTypes } = mainCredentialTypeOf(context)
  const unknown = createIdentity(environment, `0x${randomBytes(32).toString('hex')}`, '')
  return {
    now: runtime.clock.seconds(),
    environment,
    tirBaseUrl: tirBaseUrlOf(context),
    issuerUrl: urls.issuer,
    type,
    inheritedTypes,
    issuer,
    tao: keys.tao,
    otherHolderDid: otherHolder.did,
    unknownDid: unknown.did,
    ...(revokedStatus === undefined ? {} : { revokedStatus }),
  }
}

/** Members that become undefined are left out of the JSON. */
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
