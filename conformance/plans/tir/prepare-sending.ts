import type { UnsignedTransaction } from '#core/ethereum/transaction.ts'
import type { AttributeMetadata } from '#core/registries/tir-client.ts'
import { asPremise } from '../../kit/as-premise.ts'
import type { Accreditor } from './accreditor.ts'
import type { TirContext } from './context.ts'
import { metadataOf } from './metadata-of.ts'
import { type Sending, signSending } from './sign-sending.ts'
import { wireMetadata } from './wire-metadata.ts'

export interface PreparedSending {
  readonly by: Accreditor
  readonly metadata: AttributeMetadata
  readonly unsigned: UnsignedTransaction
  /** Correct as it is. */
  readonly sending: Sending
}

/** Builds and signs a publication by the kit's TAO, for checks of sending; nothing is sent. */
export async function prepareSending({
  tir,
  environment,
  accreditor,
}: TirContext): Promise<PreparedSending> {
  const by = await accreditor()
  const metadata = metadataOf(by, environment)
  const { address, privateKey } = by.signer
  const parameters = wireMetadata(metadata, address)
  const building = tir.client.build('setAttributeMetadata', parameters)
  const unsigned = await asPremise('building setAttributeMetadata (see T01)', building)
  return { by, metadata, unsigned, sending: signSending(unsigned, privateKey) }
}
