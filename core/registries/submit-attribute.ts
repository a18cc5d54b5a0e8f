import { signTransaction } from '#core/ethereum/sign-transaction.ts'
import type { Signer } from '#core/ethereum/signer.ts'
import type { UnsignedTransaction } from '#core/ethereum/z-unsigned-transaction.ts'
import { buildAgainWhenStale } from './build-again-when-stale.ts'
import type { TirClient } from './create-tir-client.ts'

export interface SubmitAttributeOptions {
  readonly tir: TirClient
  /** Called with what is about to be signed; what it throws ends the writing. */
  readonly onUnsigned?: ((transaction: UnsignedTransaction) => void) | undefined
}

export interface AttributeMetadata {
  readonly did: string
  /** 64 hex digits, without 0x here and below. */
  readonly attributeId: string
  readonly issuerType: 'ROOT_TAO' | 'TAO' | 'TI' | 'REVOKED'
  readonly taoDid: string
  readonly attributeIdTao: string
}

export interface AttributeData {
  readonly did: string
  readonly attributeId: string
  /** The accreditation. */
  readonly jwt: string
}

/**
 * Publishes or revokes an attribute by setAttributeMetadata: builds, signs, sends (document 2, What
 * the service does), and again where the nonce is taken meanwhile. Gives the transaction's hash;
 * whether it succeeded, its receipt tells.
 *
 * @row 2.what-the-service-does.3
 * @throws TestbedError `registry_refused`, `wrong_signer`
 */
export function submitAttributeMetadata(
  options: SubmitAttributeOptions,
  { did, attributeId, issuerType, taoDid, attributeIdTao }: AttributeMetadata,
  signer: Signer,
): Promise<string> {
  const ids = { revisionId: `0x${attributeId}`, attributeIdTao: `0x${attributeIdTao}` }
  return submit(options, 'setAttributeMetadata', { did, issuerType, taoDid, ...ids }, signer)
}

/**
 * Stores the accreditation's JWT by setAttributeData; otherwise as {@link submitAttributeMetadata}.
 *
 * @row 2.what-the-service-does.3
 */
export function submitAttributeData(
  options: SubmitAttributeOptions,
  { did, attributeId, jwt }: AttributeData,
  signer: Signer,
): Promise<string> {
  const attributeData = `0x${Buffer.from(jwt).toString('hex')}`
  const parameters = { did, attributeId: `0x${attributeId}`, attributeData }
  return submit(options, 'setAttributeData', parameters, signer)
}

function submit(
  { tir, onUnsigned }: SubmitAttributeOptions,
  method: string,
  parameters: object,
  signer: Signer,
): Promise<string> {
  return buildAgainWhenStale(async () => {
    const unsigned = await tir.build(method, { from: signer.address, ...parameters })
    onUnsigned?.(unsigned)
    return tir.send(unsigned, signTransaction(unsigned, signer.privateKey))
  })
}
