import type { UnsignedTransaction } from '#core/ethereum/z-unsigned-transaction.ts'
import type { ChainClient } from '#kit/chain-client.ts'
import { signTransaction } from '../deploy/sign-transaction.ts'
import type { TirClient } from './create-tir-client.ts'
import type { Signer } from './signer.ts'
import { confirmReceipt } from './write-did.ts'

export interface WriteAttributeOptions {
  readonly tir: TirClient
  readonly chain: ChainClient
  /** How long a receipt is waited for. Default: 30000. */
  readonly limitMilliseconds?: number
  /** Called with what is about to be signed; what it throws ends the writing. */
  readonly onUnsigned?: (transaction: UnsignedTransaction) => void
}

export interface AttributeMetadata {
  readonly did: string
  /** 64 hex digits, without 0x here and below. */
  readonly attributeId: string
  readonly issuerType: 'ROOT_TAO' | 'TAO' | 'TI' | 'REVOKED'
  readonly taoDid: string
  readonly attributeIdTao: string
}

/**
 * Publishes or revokes an attribute by setAttributeMetadata: builds, signs, sends, and reads the
 * receipt at the chain node (document 2, What the service does). Returns the transaction's hash.
 *
 * @row 2.what-the-service-does.3
 * @throws TestbedError `registry_refused`, `wrong_signer`, `transaction_reverted`,
 *   `transaction_pending`
 */
export function writeAttributeMetadata(
  options: WriteAttributeOptions,
  { did, attributeId, issuerType, taoDid, attributeIdTao }: AttributeMetadata,
  signer: Signer,
): Promise<string> {
  const ids = { revisionId: `0x${attributeId}`, attributeIdTao: `0x${attributeIdTao}` }
  return write(options, 'setAttributeMetadata', { did, issuerType, taoDid, ...ids }, signer)
}

/**
 * Stores the accreditation's JWT by setAttributeData; otherwise as {@link writeAttributeMetadata}.
 *
 * @row 2.what-the-service-does.3
 */
export function writeAttributeData(
  options: WriteAttributeOptions,
  data: { readonly did: string; readonly attributeId: string; readonly jwt: string },
  signer: Signer,
): Promise<string> {
  const { did, attributeId, jwt } = data
  const attributeData = `0x${Buffer.from(jwt).toString('hex')}`
  const parameters = { did, attributeId: `0x${attributeId}`, attributeData }
  return write(options, 'setAttributeData', parameters, signer)
}

async function write(
  { tir, chain, limitMilliseconds, onUnsigned }: WriteAttributeOptions,
  method: string,
  parameters: object,
  signer: Signer,
): Promise<string> {
  const unsigned = await tir.build(method, { from: signer.address, ...parameters })
  onUnsigned?.(unsigned)
  const hash = await tir.send(unsigned, signTransaction(unsigned, signer.privateKey))
  return confirmReceipt(chain, method, hash, limitMilliseconds)
}
