import { mapClaims } from '../../domain/map-claims.ts'
import { type MapperProblem, parseMappers } from '../../domain/parse-mappers.ts'

export interface MapperPreview {
  readonly problems: readonly MapperProblem[]
  /** One entry for each line that can be read; without a value where the credential has none. */
  readonly claims: readonly { readonly claim: string; readonly value: unknown }[]
}

/** What a text of mappers makes of a credential. */
export function previewMappers(text: string, credential: unknown): MapperPreview {
  const { mappers, problems } = parseMappers(text)
  const values = mapClaims(mappers, credential)
  return { problems, claims: mappers.map(({ claim }) => ({ claim, value: values[claim] })) }
}
