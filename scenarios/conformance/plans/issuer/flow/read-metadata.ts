import { asPremise } from '../../../as-premise.ts'
import { requireJson } from '../../../classify-answer.ts'
import type { IssuerContext } from '../issuer-context.ts'
import { fetchMetadata } from './fetch-metadata.ts'

/** The issuer metadata, whatever is in it; where there is none, nothing is decided but I01. */
export async function readMetadata(
  context: IssuerContext,
): Promise<Readonly<Record<string, unknown>>> {
  const reading = fetchMetadata(context).then((answer) => requireJson(answer, 'The metadata'))
  return asPremise('reading the metadata (see I01)', reading)
}
