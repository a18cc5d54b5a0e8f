import { randomUUID } from 'node:crypto'
import { privateJwkFromHex } from '#core/crypto/jwk.ts'
import { parseDidUrl, verificationMethodIdOf } from '#core/did/did-org.ts'
import type { Signer } from '#core/ethereum/account.ts'
import type { DidRegistryClient } from '#core/registries/did-registry-client.ts'
import type { TirClient } from '#core/registries/tir-client.ts'
import { signAccreditation } from '#core/trust/accreditation.ts'
import { createTermsOfUseUrl, type TirAttribute } from '#core/trust/tir-attribute.ts'
import { alreadyRevoked, keyNotInAssertionMethod, unknownAccreditation } from '../errors.ts'
import {
  type WriteAttributeOptions,
  writeAttributeData,
  writeAttributeMetadata,
} from './write-registries.ts'

/** An organization that accredits, with its own accreditation and the key that signs. */
export interface Accreditor extends Signer {
  readonly did: string
  /** 64 hex digits without 0x, here and below. */
  readonly attributeId: string
  readonly vMethodId: string
}

export interface PublishOptions {
  readonly subject: { readonly did: string; readonly attributeId: string }
  readonly issuerType: 'ROOT_TAO' | 'TAO' | 'TI'
  /** Credential types. */
  readonly accreditedFor: readonly string[]
  readonly accreditor: Accreditor
  /** Signs the transactions: the accreditor, or the operator for a root. */
  readonly sender: Signer
  readonly tirBaseUrl: string
  /** Unix seconds. */
  readonly now: number
  /** Unix seconds. */
  readonly validUntil: number
}

/**
 * Signs an accreditation and publishes it by setAttributeMetadata and setAttributeData, each
 * confirmed by its receipt (profile/README, The parts). Throws like `writeAttributeMetadata`.
 */
export async function publishAccreditation(
  writing: WriteAttributeOptions,
  options: PublishOptions,
): Promise<{
  /** The address of the accreditation. */
  readonly url: string
  readonly jwt: string
  /** Their hashes. */
  readonly transactions: readonly string[]
}> {
  const { subject, issuerType, accreditedFor, accreditor, sender, tirBaseUrl } = options
  const { now, validUntil } = options
  const { did, attributeId } = subject
  const jwt = signAccreditation({
    id: `urn:uuid:${randomUUID()}`,
    subjectDid: did,
    attributeId,
    types: accreditedFor,
    accreditor,
    tirBaseUrl,
    now,
    validUntil,
  })
  const { did: taoDid, attributeId: attributeIdTao } = accreditor
  const metadata = { did, attributeId, issuerType, taoDid, attributeIdTao }
  const transactions = [
    await writeAttributeMetadata(writing, metadata, sender),
    await writeAttributeData(writing, { did, attributeId, jwt }, sender),
  ]
  return { url: createTermsOfUseUrl(tirBaseUrl, subject), jwt, transactions }
}

/**
 * The vMethodId under which a DID lists a key in its assertionMethod. If no registry is known, the
 * key's thumbprint, which the profile recommends.
 * @throws TestbedError `key_not_in_assertion_method`, because verifiers would reject what it signs
 */
export async function findVerificationMethodId(
  didRegistry: DidRegistryClient | undefined,
  did: string,
  { privateKey, address }: Signer,
): Promise<string> {
  const jwk = privateJwkFromHex(privateKey)
  if (didRegistry === undefined) return verificationMethodIdOf(jwk)
  const document = await didRegistry.resolve(did)
  const method = document?.verificationMethod.find(
    ({ id, publicKeyJwk: { x, y } }) =>
      x === jwk.x && y === jwk.y && document.assertionMethod.includes(id),
  )
  const fragment = method && parseDidUrl(method.id)?.fragment
  if (fragment !== undefined) return fragment
  throw keyNotInAssertionMethod(address, did)
}

/**
 * Reads an accreditation that can be revoked.
 * @throws TestbedError `unknown_accreditation` (404), `already_revoked` (409)
 */
export async function readActiveAttribute(
  tir: TirClient,
  did: string,
  attributeId: string,
): Promise<TirAttribute> {
  const found = await tir.readAttribute(did, attributeId)
  if (found === undefined) throw unknownAccreditation(did)
  if (found.attribute.issuerType === 'REVOKED') throw alreadyRevoked(did)
  return found
}
