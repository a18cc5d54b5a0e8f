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
import { createHttpClient, type HttpAnswer } from '#kit/create-http-client.ts'
import type { IssuerService } from '#services/issuer/create-issuer-service.ts'
import { noStatusList } from '#testbed/errors.ts'
import { type Accredited, createIdentity, deriveKey } from '#testbed/registries/environment-keys.ts'
import {
  type EnvironmentContext,
  mainCredentialTypeOf,
  tirBaseUrlOf,
} from '../environment-context.ts'
import { createServiceClient } from '../service-client.ts'

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

const zClaims = z.looseObject({ credential_status: z.looseObject({}) })
const zToken = z.looseObject({ access_token: z.string() })

/**
 * The credentialStatus of a credential that the issuer has revoked: a record is created and revoked
 * through the issuer's own endpoints.
 * @throws TestbedError `no_status_list` (409) if the issuer does not return a credentialStatus
 */
export async function createRevokedStatus(
  context: EnvironmentContext,
  issuer: Pick<IssuerService, 'createOffer'>,
  mandate: Mandate,
): Promise<Record<string, unknown>> {
  const { credentialId } = await issuer.createOffer({ mandate })
  const caller = 'control'
  const issuerClient = createHttpClient(context.runtime, {
    caller,
    dependency: 'issuer',
    baseUrl: context.localUrls.issuer,
  })
  const tokenIssuer = createServiceClient(context, 'token-issuer', { caller })
  const claims = read(
    zClaims,
    await issuerClient.postJson(
      '/issuance/claims',
      { credential_id: credentialId },
      { 'x-api-key': context.secret('api-key/issuer') },
    ),
  )
  const { access_token } = read(
    zToken,
    await tokenIssuer.postJson('/internal/bearer-tokens', {
      organization_identifier: mandate.mandator.organizationIdentifier,
    }),
  )
  const revoked = await issuerClient.postJson(
    '/issuance/credential/revoke',
    { credential_id: credentialId },
    { authorization: `Bearer ${access_token}` },
  )
  read(z.looseObject({ status: z.literal('revoked') }), revoked)
  return claims.credential_status
}

function read<Shape extends z.ZodType>(shape: Shape, answer: HttpAnswer): z.output<Shape> {
  const parsed = shape.safeParse(answer.json)
  if (answer.status === 200 && parsed.success) return parsed.data
  throw noStatusList(`${answer.status}: ${answer.text.slice(0, 300)}`)
}
