import { randomUUID } from 'node:crypto'
import { setTimeout as wait } from 'node:timers/promises'
import { privateJwkFromHex } from '#core/crypto/jwk.ts'
import { parseDidUrl, verificationMethodIdOf } from '#core/did/did-org.ts'
import type { Signer } from '#core/ethereum/account.ts'
import {
  createDidRegistryClient,
  type DidRegistryClient,
  type SentTransaction,
  type SubmitDidTransactionOptions,
  submitDidTransaction,
} from '#core/registries/did-registry-client.ts'
import { transactionPending, transactionReverted } from '#core/registries/errors.ts'
import {
  type AttributeData,
  type AttributeMetadata,
  createTirClient,
  type SubmitAttributeOptions,
  submitAttributeData,
  submitAttributeMetadata,
  type TirClient,
} from '#core/registries/tir-client.ts'
import { signAccreditation } from '#core/trust/accreditation.ts'
import { createTermsOfUseUrl, type TirAttribute } from '#core/trust/tir-attribute.ts'
import type { ChainClient } from '#kit/chain-client.ts'
import { createHttpClient } from '#kit/create-http-client.ts'
import type { Runtime } from '#kit/runtime.ts'
import { alreadyRevoked, keyNotInAssertionMethod, unknownAccreditation } from '#testbed/errors.ts'
import { waitForReceipt } from './deploy-contracts.ts'

export interface OpenRegistryOptions {
  readonly baseUrl: string
  readonly caller: string
}

/**
 * The client of the DID registry at `baseUrl`. If the registry does not answer, its calls throw a
 * TestbedError `dependency_unavailable`.
 */
export function openDidRegistry(runtime: Runtime, options: OpenRegistryOptions): DidRegistryClient {
  const dependency = 'DID registry'
  // The registry itself may wait some seconds for a receipt before it answers.
  const timeoutMilliseconds = 30_000
  return createDidRegistryClient(
    createHttpClient(runtime, { ...options, dependency, timeoutMilliseconds }).request,
  )
}

/** The client of the TIR at `baseUrl`; otherwise like {@link openDidRegistry}. */
export function openTir(
  runtime: Runtime,
  { apiKey, ...options }: OpenRegistryOptions & { readonly apiKey?: string | undefined },
): TirClient {
  const dependency = 'trusted issuers registry'
  return createTirClient(createHttpClient(runtime, { ...options, dependency }).request, apiKey)
}

export interface SettleOptions {
  readonly didRegistry: DidRegistryClient
  /** If it is set, receipts are read there once the registry has answered 206. */
  readonly chain?: ChainClient | undefined
  /** How long to wait for a pending transaction. Default: 30000. */
  readonly limitMilliseconds?: number
  /** Pause between two requests to the registry. Default: 5000 (profile/did-registry, Read). */
  readonly pauseMilliseconds?: number
}

export interface WriteDidOptions extends SettleOptions, SubmitDidTransactionOptions {
  /** Whether the registry shows the change; requested after a 206 if no chain is known. */
  readonly isVisible?: () => Promise<boolean>
}

/**
 * Writes through the DID registry API: requests the transaction, signs it, sends it. Resolves with
 * the transaction's hash when the change is on the chain. After a 206 it waits for the receipt or,
 * if no chain is known, reads the registry again (profile/did-registry, Write).
 * @throws TestbedError `registry_refused`, `wrong_signer`, `transaction_reverted`,
 * `transaction_pending`
 */
export async function writeDid(
  options: WriteDidOptions,
  operation: string,
  body: object,
  signer: Signer,
): Promise<string> {
  const sent = await submitDidTransaction(options, operation, body, signer)
  return settleTransaction(options, operation, sent, options.isVisible)
}

/**
 * Waits for a transaction that was sent; see {@link writeDid}.
 *
 * @row 2.endpoints/did-registry.33 2.limits.6
 */
export async function settleTransaction(
  options: SettleOptions,
  what: string,
  sent: SentTransaction,
  isVisible?: () => Promise<boolean>,
): Promise<string> {
  const { chain, limitMilliseconds = 30_000, pauseMilliseconds = 5000 } = options
  const { hash, state, revertReason } = sent
  if (state === 'applied') return hash
  if (state === 'reverted') throw transactionReverted(what, hash, revertReason)
  if (chain !== undefined) return confirmReceipt(chain, what, hash, limitMilliseconds)
  const end = performance.now() + limitMilliseconds
  while (isVisible !== undefined && performance.now() < end) {
    await wait(Math.min(pauseMilliseconds, end - performance.now()))
    if (await isVisible()) return hash
  }
  throw transactionPending(what, hash)
}

/**
 * Waits for the receipt of a transaction at the chain node and checks that it succeeded.
 *
 * @row 2.endpoints/tir.14
 * @throws TestbedError `transaction_reverted`, `transaction_pending`
 */
async function confirmReceipt(
  chain: ChainClient,
  what: string,
  hash: string,
  limitMilliseconds?: number,
): Promise<string> {
  const receipt = await waitForReceipt(chain, hash, limitMilliseconds)
  if (receipt === null) throw transactionPending(what, hash)
  if (receipt.status !== '0x1') throw transactionReverted(what, hash, receipt.revertReason)
  return hash
}

interface WriteAttributeOptions extends SubmitAttributeOptions {
  readonly chain: ChainClient
  /** How long to wait for a receipt. Default: 30000. */
  readonly limitMilliseconds?: number
}

/**
 * Publishes or revokes an attribute and reads the receipt at the chain node (
 * profile/README, The parts). Returns the transaction's hash.
 * @throws TestbedError `registry_refused`, `wrong_signer`, `transaction_reverted`,
 *   `transaction_pending`
 */
export async function writeAttributeMetadata(
  options: WriteAttributeOptions,
  metadata: AttributeMetadata,
  signer: Signer,
): Promise<string> {
  const hash = await submitAttributeMetadata(options, metadata, signer)
  return confirmReceipt(options.chain, 'setAttributeMetadata', hash, options.limitMilliseconds)
}

/** Stores the accreditation's JWT; otherwise like {@link writeAttributeMetadata}. */
export async function writeAttributeData(
  options: WriteAttributeOptions,
  data: AttributeData,
  signer: Signer,
): Promise<string> {
  const hash = await submitAttributeData(options, data, signer)
  return confirmReceipt(options.chain, 'setAttributeData', hash, options.limitMilliseconds)
}

/** A DID before its registration, with the proof of its key. */
interface CreatedDid {
  readonly did: string
  /** 0x-hex, 65 bytes. */
  readonly proof: string
  /** 0x04, X and Y as 0x-hex. */
  readonly publicKey: string
  readonly vMethodId: string
}

interface Validity {
  /** Unix seconds. */
  readonly notBefore: number
  /** Unix seconds. */
  readonly notAfter: number
}

/** The body of insertFirstDidDocument (profile/did-registry, Write). */
export function createFirstDocument(
  { did, vMethodId, proof, publicKey }: CreatedDid,
  alsoKnownAs: string,
  validity: Validity,
) {
  const publicKeyType = 'secp256k1'
  return { did, vMethodId, proof, publicKeyType, publicKey, alsoKnownAs, ...validity }
}

interface RegisterDidOptions {
  readonly created: CreatedDid
  readonly alsoKnownAs: string
  readonly validity: Validity
  readonly onboardingNode: Signer
  /** The key of the DID; if set, it is also authorized to issue credentials. */
  readonly assertionKey?: Signer | undefined
  /** How a transaction is written; `kid` is what it adds to assertionMethod, if not the DID. */
  writing(kid?: string): WriteDidOptions
}

/**
 * Registers a DID as an onboarding node and, on request, adds its key to assertionMethod. Returns
 * the hashes of the transactions, which are on the chain. Throws like `writeDid`.
 */
export async function registerDid(options: RegisterDidOptions): Promise<string[]> {
  const { created, alsoKnownAs, validity, onboardingNode, assertionKey, writing } = options
  const { did, vMethodId } = created
  const body = createFirstDocument(created, alsoKnownAs, validity)
  const first = await writeDid(writing(), 'insertFirstDidDocument', body, onboardingNode)
  if (assertionKey === undefined) return [first]
  const relationship = { did, name: 'assertionMethod', vMethodId, ...validity }
  const operation = 'addVerificationRelationship'
  const kid = `${did}#${vMethodId}`
  return [first, await writeDid(writing(kid), operation, relationship, assertionKey)]
}

/** An organization that accredits, with its own accreditation and the key that signs. */
export interface Accreditor extends Signer {
  readonly did: string
  /** 64 hex digits without 0x, here and below. */
  readonly attributeId: string
  readonly vMethodId: string
}

interface PublishOptions {
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
