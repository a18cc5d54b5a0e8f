import { randomBytes } from 'node:crypto'
import { createCredentialWithDefect } from '#conformance/world/defects/create-credential-with-defect.ts'
import type { Defect, DefectWorld } from '#conformance/world/defects/defect.ts'
import { createHolderDid } from '#core/crypto/holder-did.ts'
import { createPrivateJwk, privateJwkFromHex, publicJwkOf } from '#core/crypto/jwk.ts'
import type { Mandate } from '#core/lear-credential/lear-credential.ts'
import { type EnvironmentContext, tirBaseUrlOf } from '../compose/environment-context.ts'
import { mainCredentialTypeOf } from '../compose/main-credential-type.ts'
import type { Accredited } from '../deploy/create-environment-keys.ts'
import { createIdentity } from '../deploy/create-identity.ts'
import { defectiveIdentity } from './defective-identity.ts'

export interface DefectiveCredentialOrder {
  readonly defect: Defect
  readonly holderDid: string
  readonly mandate: Mandate
  /** The credentialStatus of a revoked credential, where the defect is about one. */
  readonly revokedStatus?: Record<string, unknown> | undefined
}

/** Makes a credential with a defect, by the environment's own issuer or by the defect's. */
export function createDefectiveCredential(
  context: EnvironmentContext,
  { defect, holderDid, mandate, revokedStatus }: DefectiveCredentialOrder,
): string {
  const issuer = defect.issuer ? defectiveIdentity(context, defect.issuer) : context.keys.issuer
  return createCredentialWithDefect({
    defect,
    world: createWorld(context, issuer, revokedStatus),
    signer: {
      kid: `${issuer.did}#${issuer.vMethodId}`,
      privateKey: privateJwkFromHex(issuer.privateKey),
    },
    holderDid,
    mandate,
  })
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
    statusListUrl: (list) => `${urls.issuer}/credentials/status/${list}`,
    type,
    inheritedTypes,
    issuer,
    tao: keys.tao,
    otherHolderDid: otherHolder.did,
    unknownDid: unknown.did,
    ...(revokedStatus === undefined ? {} : { revokedStatus }),
  }
}
