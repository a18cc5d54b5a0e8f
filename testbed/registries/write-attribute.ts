import type { Signer } from '#core/ethereum/account.ts'
import {
  type AttributeData,
  type AttributeMetadata,
  type SubmitAttributeOptions,
  submitAttributeData,
  submitAttributeMetadata,
} from '#core/registries/tir-client.ts'
import type { ChainClient } from '#kit/chain-client.ts'
import { confirmReceipt } from './write-did.ts'

export interface WriteAttributeOptions extends SubmitAttributeOptions {
  readonly chain: ChainClient
  /** How long a receipt is waited for. Default: 30000. */
  readonly limitMilliseconds?: number
}

/**
 * Publishes or revokes an attribute and reads the receipt at the chain node (document 2, What the
 * service does). Returns the transaction's hash.
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

/** Stores the accreditation's JWT; otherwise as {@link writeAttributeMetadata}. */
export async function writeAttributeData(
  options: WriteAttributeOptions,
  data: AttributeData,
  signer: Signer,
): Promise<string> {
  const hash = await submitAttributeData(options, data, signer)
  return confirmReceipt(options.chain, 'setAttributeData', hash, options.limitMilliseconds)
}
