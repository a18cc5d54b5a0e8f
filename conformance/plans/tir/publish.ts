import type { AttributeMetadata } from '#core/registries/tir-client.ts'
import { asPremise } from '../../kit/as-premise.ts'
import type { Accreditor } from './accreditor.ts'
import type { TirContext } from './context.ts'
import { metadataOf } from './metadata-of.ts'

/**
 * Publishes a new attribute of a new subject, by default a TI accredited by the kit's TAO; ends a
 * check as inconclusive where the TIR does not.
 */
export async function publish(
  { tir, environment, accreditor }: TirContext,
  issuerType: AttributeMetadata['issuerType'] = 'TI',
): Promise<{ readonly by: Accreditor; readonly metadata: AttributeMetadata }> {
  const by = await accreditor()
  const metadata = metadataOf(by, environment, issuerType)
  await asPremise('Publishing an attribute (see T02)', tir.writeMetadata(metadata, by.signer))
  return { by, metadata }
}
