import { randomBytes } from 'node:crypto'
import { privateJwkFromHex } from '#core/crypto/jwk.ts'
import { type DidEnvironment, verificationMethodIdOf } from '#core/did/did-org.ts'
import { type Signer, toHex } from '#core/ethereum/account.ts'
import { signTransaction, type UnsignedTransaction } from '#core/ethereum/transaction.ts'
import type { AttributeMetadata } from '#core/registries/tir-client.ts'
import { signAccreditation } from '#core/trust/accreditation.ts'
import { asPremise, requireFinding } from '../../kit/classify-answer.ts'
import { type Attempt, createFreshIdentity } from '../registries/did-registry-under-test.ts'
import type { Accreditor, Publication, TirContext } from './context.ts'

/** A new publication: a new subject, a new attribute, under an accreditor. */
export function metadataOf(
  by: Pick<Accreditor, 'did' | 'attributeId'>,
  environment: DidEnvironment,
  issuerType: AttributeMetadata['issuerType'] = 'TI',
): AttributeMetadata {
  return {
    did: createFreshIdentity(environment).did,
    attributeId: randomBytes(32).toString('hex'),
    issuerType,
    taoDid: by.did,
    attributeIdTao: by.attributeId,
  }
}

/**
 * The root of the chain of an accreditor: itself if it is a root. Otherwise the kit only knows it
 * from the TIR.
 */
export async function rootOf(
  { tir }: Pick<TirContext, 'tir'>,
  { did, attributeId }: Accreditor,
): Promise<string> {
  const { issuerType, rootTao } = (await tir.requireAttribute(did, attributeId)).attribute
  return issuerType === 'RTAO' ? did : rootTao
}

/** params[0] of setAttributeMetadata in the wire format. */
export function wireMetadata(metadata: AttributeMetadata, from: string): Record<string, unknown> {
  const { did, attributeId, issuerType, taoDid, attributeIdTao } = metadata
  const ids = { revisionId: `0x${attributeId}`, attributeIdTao: `0x${attributeIdTao}` }
  return { from, did, issuerType, taoDid, ...ids }
}

/**
 * The accreditation of a publication as a valid JWT: a TIR may check that it matches the attribute.
 * @param types of credentials that it is for: they distinguish one body from another
 */
export function signBody(
  { tirBaseUrl, now }: Pick<TirContext, 'tirBaseUrl' | 'now'>,
  { did: subjectDid, attributeId }: Pick<AttributeMetadata, 'did' | 'attributeId'>,
  { signer, ...by }: Accreditor,
  types: string | readonly string[] = 'OrgPortalLearCredential',
): string {
  const { privateKey } = signer
  const vMethodId = verificationMethodIdOf(privateJwkFromHex(privateKey))
  return signAccreditation({
    id: `urn:uuid:${crypto.randomUUID()}`,
    subjectDid,
    attributeId,
    types: [types].flat(),
    accreditor: { ...by, vMethodId, privateKey },
    tirBaseUrl,
    now: now() - 60,
    validUntil: now() + 365 * 86_400,
  })
}

/**
 * Publishes a new attribute of a new subject, by default a TI accredited by the kit's TAO; ends a
 * check as inconclusive if the TIR rejects it.
 */
export async function publish(
  { tir, environment, accreditor }: Pick<TirContext, 'tir' | 'environment' | 'accreditor'>,
  issuerType: AttributeMetadata['issuerType'] = 'TI',
): Promise<Publication> {
  const by = await accreditor()
  const metadata = metadataOf(by, environment, issuerType)
  await asPremise('Publishing an attribute (see T02)', tir.writeMetadata(metadata, by.signer))
  return { by, metadata }
}

/**
 * Completes a publication with its accreditation, signed by the accreditor unless another account
 * publishes: a TIR may show an attribute only with its data. Whether data is stored is for T03.
 */
export async function addData(
  context: Pick<TirContext, 'tir' | 'tirBaseUrl' | 'now'>,
  { did, attributeId }: Pick<AttributeMetadata, 'did' | 'attributeId'>,
  by: Accreditor,
  publisher: Signer = by.signer,
): Promise<Attempt> {
  const jwt = signBody(context, { did, attributeId }, by)
  return context.tir.attemptData({ did, attributeId, jwt }, publisher)
}

/**
 * What a correct call is about: a TIR may reject what the chain would revert. Undefined without a
 * TAO of the kit.
 */
async function findPublication({ canAccredit, publication }: TirContext) {
  if (!canAccredit) return undefined
  return publication().catch((error: unknown) => {
    requireFinding(error)
    return undefined
  })
}

/** params[0] of a valid setAttributeData, which the chain would apply if the kit has a TAO. */
export async function correctData(context: TirContext): Promise<Record<string, unknown>> {
  const publication = await findPublication(context)
  if (publication === undefined) return dataByOutsider(context)
  const { by, metadata } = publication
  const { did, attributeId } = metadata
  const attributeData = toHex(Buffer.from(signBody(context, metadata, by)))
  return { from: by.signer.address, did, attributeId: `0x${attributeId}`, attributeData }
}

/** The same for setAttributeMetadata. */
export async function correctMetadata(context: TirContext): Promise<Record<string, unknown>> {
  const publication = await findPublication(context)
  if (publication === undefined) return metadataByOutsider(context)
  const { by } = publication
  return wireMetadata(metadataOf(by, context.environment), by.signer.address)
}

/** params[0] of a setAttributeData of an attribute that does not exist. */
export function dataByOutsider({
  didRegistry,
}: Pick<TirContext, 'didRegistry'>): Record<string, unknown> {
  const { did, address: from } = didRegistry.createIdentity()
  const attributeId = toHex(randomBytes(32))
  return { from, did, attributeId, attributeData: '0x61' }
}

/** params[0] of a setAttributeMetadata by an account that is not a TAO. */
export function metadataByOutsider({
  didRegistry,
  environment,
}: Pick<TirContext, 'didRegistry' | 'environment'>): Record<string, unknown> {
  const { did, address } = didRegistry.createIdentity()
  return wireMetadata(metadataOf({ did, attributeId: '1'.repeat(64) }, environment), address)
}

/** params[0] of sendSignedTransaction. */
interface Sending {
  readonly protocol: string
  readonly unsignedTransaction: UnsignedTransaction
  readonly r: string
  readonly s: string
  readonly v: string
  readonly signedRawTransaction: string
}

/** Signs a transaction in the form that sendSignedTransaction expects. */
export function signSending(unsignedTransaction: UnsignedTransaction, privateKey: string): Sending {
  const { raw, r, s, v } = signTransaction(unsignedTransaction, privateKey)
  return { protocol: 'eth', unsignedTransaction, r, s, v, signedRawTransaction: raw }
}

export interface PreparedSending {
  readonly by: Accreditor
  readonly metadata: AttributeMetadata
  readonly unsigned: UnsignedTransaction
  /** Valid parameters. */
  readonly sending: Sending
}

/** An account that is not a TAO. The TIR sends its publications, and the contract reverts them. */
function createOutsider({ didRegistry }: Pick<TirContext, 'didRegistry'>): Accreditor {
  const signer = didRegistry.createIdentity()
  return { did: signer.did, attributeId: randomBytes(32).toString('hex'), signer }
}

/**
 * Builds and signs a publication, for checks of sending; does not send it. It is by the kit's TAO,
 * or without one by an account that is not a TAO.
 */
export async function prepareSending(
  context: TirContext,
  { isByTao = context.canAccredit } = {},
): Promise<PreparedSending> {
  const { tir, environment } = context
  const by = isByTao ? await context.accreditor() : createOutsider(context)
  const metadata = metadataOf(by, environment)
  const { address, privateKey } = by.signer
  const parameters = wireMetadata(metadata, address)
  const building = tir.client.build('setAttributeMetadata', parameters)
  const unsigned = await asPremise('building setAttributeMetadata (see T01)', building)
  return { by, metadata, unsigned, sending: signSending(unsigned, privateKey) }
}
