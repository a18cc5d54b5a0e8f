import { jsonAsPremise } from '../../../kit/classify-answer.ts'
import type { IssuerContext } from '../issuer-context.ts'
import { fetchMetadata } from './fetch-metadata.ts'

/** The issuer metadata, whatever is in it; where there is none, nothing is decided but I01. */
export async function readMetadata(
  context: IssuerContext,
): Promise<Readonly<Record<string, unknown>>> {
  return jsonAsPremise('The metadata', fetchMetadata(context), 'reading the metadata (see I01)')
}
