import { randomUUID } from 'node:crypto'
import {
  type DefectiveIssuer,
  type DefectiveIssuerName,
  defectiveIssuers,
} from '#conformance/world/defects/defect.ts'
import { createDidProof } from '#core/did/did-proof.ts'
import { signAccreditation } from '#core/trust/accreditation.ts'
import type { ChainClient } from '#kit/chain-client.ts'
import type { Accredited } from '#testbed/registries/environment-keys.ts'
import {
  openDidRegistry,
  openTir,
  writeAttributeData,
  writeAttributeMetadata,
  writeDid,
} from '#testbed/registries/write-registries.ts'
import {
  type EnvironmentContext,
  localTirBaseUrlOf,
  mainCredentialTypeOf,
  tirBaseUrlOf,
} from '../environment-context.ts'
import { defectiveIdentity } from './prepare-defective-credential.ts'

const day = 86_400

/**
 * Registers a defective issuer, and the organizations above it, through the APIs of both
 * registries; keeps existing entries.
 * @throws TestbedError of the registries' clients
 */
export async function registerDefectiveIssuer(
  context: EnvironmentContext,
  chain: ChainClient,
  name: DefectiveIssuerName,
): Promise<void> {
  const spec = defectiveIssuers[name]
  if (spec.parent !== undefined && spec.parent !== name) {
    await registerDefectiveIssuer(context, chain, spec.parent)
  }
  const registries = openRegistries(context, chain)
  const own = defectiveIdentity(context, name)
  const parent = spec.parent ? defectiveIdentity(context, spec.parent) : context.keys.tao
  await registerKey(context, registries, own, spec)
  await publishAccreditation(context, registries, { own, parent, spec })
  if (spec.revoked) await revokeAttribute(registries, own, parent)
  if (spec.parentRevoked) await revokeAttribute(registries, parent, context.keys.tao)
}

function openRegistries({ runtime, localUrls, secret }: EnvironmentContext, chain: ChainClient) {
  const caller = 'operator'
  return {
    chain,
    didRegistry: openDidRegistry(runtime, { caller, baseUrl: localUrls['did-registry'] }),
    tir: openTir(runtime, {
      caller,
      baseUrl: localTirBaseUrlOf({ localUrls }),
      apiKey: secret('api-key/tir'),
    }),
  }
}

type Registries = ReturnType<typeof openRegistries>

async function registerKey(
  { keys, runtime }: EnvironmentContext,
  registries: Registries,
  own: Accredited,
  { key }: DefectiveIssuer,
): Promise<void> {
  const { did, vMethodId, privateKey, organizationIdentifier } = own
  const now = runtime.clock.seconds()
  const validity = { notBefore: now - day, notAfter: now + 3650 * day }
  const document = await registries.didRegistry.resolve(did)
  if (document === undefined) {
    const body = {
      did,
      vMethodId,
      ...createDidProof(privateKey),
      publicKeyType: 'secp256k1',
      alsoKnownAs: `urn:oid:organizationIdentifier:${organizationIdentifier}`,
      ...validity,
    }
    await writeDid(registries, 'insertFirstDidDocument', body, keys.onboardingNode)
  }
  const isForAssertions = document?.assertionMethod?.includes(`${did}#${vMethodId}`) ?? false
  if (key !== 'not-for-assertions' && !isForAssertions && (key !== 'revoked' || !document)) {
    const body = { did, name: 'assertionMethod', vMethodId, ...validity }
    await writeDid(registries, 'addVerificationRelationship', body, own)
  }
  if (key === 'revoked' && (isForAssertions || !document)) {
    const body = { did, vMethodId, notAfter: now - 3600 }
    await writeDid(registries, 'revokeVerificationMethod', body, own)
  }
}

interface Publication {
  readonly own: Accredited
  readonly parent: Accredited
  readonly spec: DefectiveIssuer
}

async function publishAccreditation(
  context: EnvironmentContext,
  registries: Registries,
  { own, parent, spec }: Publication,
): Promise<void> {
  const { did, attributeId } = own
  const { issuerType = 'TI' } = spec
  const signer = issuerType === 'ROOT_TAO' ? context.keys.operator : parent
  const found = await registries.tir.readAttribute(did, attributeId)
  if (found === undefined) {
    const above = { taoDid: parent.did, attributeIdTao: parent.attributeId }
    await writeAttributeMetadata(registries, { did, attributeId, issuerType, ...above }, signer)
  }
  if (found?.attribute.body) return
  const jwt = createAccreditation(context, { own, parent, spec })
  await writeAttributeData(registries, { did, attributeId, jwt }, parent)
}

function createAccreditation(
  context: EnvironmentContext,
  {
    own,
    parent,
    spec: { accreditation, types = [mainCredentialTypeOf(context).vcType] },
  }: Publication,
): string {
  const { runtime, keys } = context
  const now = runtime.clock.seconds()
  const isExpired = accreditation === 'expired'
  return signAccreditation({
    id: `urn:uuid:${randomUUID()}`,
    subjectDid: accreditation === 'about-another' ? keys.verifier.did : own.did,
    attributeId: accreditation === 'for-another-attribute' ? 'ab'.repeat(32) : own.attributeId,
    types,
    accreditor: accreditation === 'self-signed' ? own : parent,
    tirBaseUrl: tirBaseUrlOf(context),
    now: isExpired ? now - 2 * day : now,
    validUntil: isExpired ? now - day : now + 3650 * day,
  })
}

async function revokeAttribute(
  registries: Registries,
  { did, attributeId }: Accredited,
  parent: Accredited,
): Promise<void> {
  const found = await registries.tir.readAttribute(did, attributeId)
  if (found?.attribute.issuerType === 'REVOKED') return
  const above = { taoDid: parent.did, attributeIdTao: parent.attributeId }
  const metadata = { did, attributeId, issuerType: 'REVOKED', ...above } as const
  await writeAttributeMetadata(registries, metadata, parent)
}
