import { requireJson } from '../../../classify-answer.ts'
import type { IssuerContext } from '../issuer-context.ts'
import { fetchMetadata } from './fetch-metadata.ts'

/** The issuer metadata, whatever is in it; ends the check where there is none. */
export async function readMetadata(
  context: IssuerContext,
): Promise<Readonly<Record<string, unknown>>> {
  return requireJson(await fetchMetadata(context), 'The issuer metadata')
}
