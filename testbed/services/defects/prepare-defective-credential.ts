import { createHash, randomBytes } from 'node:crypto'
import { z } from 'zod'
import {
  createCredentialWithDefect,
  findDefect,
} from '#conformance/world/defects/create-credential-with-defect.ts'
import type { Defect, DefectiveIssuerName, DefectWorld } from '#conformance/world/defects/defect.ts'
import { createHolderDid } from '#core/crypto/holder-did.ts'
import { createPrivateJwk, privateJwkFromHex, publicJwkOf } from '#core/crypto/jwk.ts'
import { toHex } from '#core/ethereum/account.ts'
import { type Mandate, zMandate } from '#core/lear-credential/lear-credential.ts'
import { type Accredited, createIdentity, deriveKey } from '../../registries/environment-keys.ts'
import {
  type EnvironmentContext,
  mainCredentialTypeOf,
  tirBaseUrlOf,
} from '../environment-context.ts'

/** Key, DID and attribute of a defective issuer; the same after every start of an environment. */
export function defectiveIdentity(
  { environment, keys }: Pick<EnvironmentContext, 'environment' | 'keys'>,
  name: DefectiveIssuerName,
): Accredited {
  const privateKey = deriveKey(keys.operator.privateKey, `defective-issuers/${name}`)
  const identity = createIdentity(environment, privateKey, 'VATES-D00000005')
  const attributeId = createHash('sha256').update(`accreditation of ${identity.did}`).digest('hex')
  return { ...identity, attributeId }
}

export interface DefectiveCredentialOrder {
  readonly defect: Defect
  readonly holderDid: string
  readonly mandate: Mandate
  /** The credentialStatus of a revoked credential, if the defect is a revocation. */
  readonly revokedStatus?: Record<string, unknown> | undefined
}

/** Creates a credential with a defect, by the environment's own issuer or by the defect's. */
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
  const otherKey = createPrivateJwk('secp256k1', randomBytes(32))
  const otherHolder = createHolderDid({ method: 'key', publicKey: publicJwkOf(otherKey) })
  const { vcType: type, inheritedTypes } = mainCredentialTypeOf(context)
  const unknown = createIdentity(environment, toHex(randomBytes(32)), '')
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

/** The data of a defective credential until a wallet collects it, stored with its offer. */
const zDefectRecipe = z.object({
  defect: z.string(),
  mandate: zMandate,
  /** For a credential created in advance: its holder, and the credential itself. */
  made: z.object({ holderDid: z.string(), credential: z.string() }).optional(),
  revokedStatus: z.looseObject({}).optional(),
})

export type DefectRecipe = z.infer<typeof zDefectRecipe>

/**
 * The defective credential of an offer for a connector: a credential for a named holder is only for
 * that holder, otherwise it is created for the wallet that collects it.
 */
export function prepareDefectiveCredential(
  context: EnvironmentContext,
  recipe: string,
  holderDid: string,
): string | undefined {
  const { defect: name, made, mandate, revokedStatus } = zDefectRecipe.parse(JSON.parse(recipe))
  if (made) return made.holderDid === holderDid ? made.credential : undefined
  const defect = findDefect(name)
  return defect && createDefectiveCredential(context, { defect, holderDid, mandate, revokedStatus })
}
