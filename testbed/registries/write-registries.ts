import { setTimeout as wait } from 'node:timers/promises'
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
import type { ChainClient } from '#kit/chain-client.ts'
import { createHttpClient } from '#kit/create-http-client.ts'
import type { Runtime } from '#kit/runtime.ts'
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

export interface WriteAttributeOptions extends SubmitAttributeOptions {
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
