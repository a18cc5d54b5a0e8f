import { type DcqlQuery, presentedFormat } from './z-dcql-query.ts'

export interface CreateDcqlQueryOptions {
  /** Named in the presentation_submission. */
  readonly id: string
  readonly types: readonly string[]
  /** JSONPath texts such as `$.vc.credentialSubject.mandate`. */
  readonly claims?: readonly string[]
}

/**
 * A dcql_query for one credential (Document 1, Presentation authorization_request).
 *
 * @row 1.resources-and-their-fields/presentation-authorization-request.7 1.what-the-service-does.3
 */
export function createDcqlQuery({ id, types, claims = [] }: CreateDcqlQueryOptions): DcqlQuery {
  return {
    credentials: [
      {
        id,
        format: presentedFormat,
        meta: { vct_values: [...types] },
        ...(claims.length === 0 ? {} : { claims: claims.map((path) => ({ path: [path] })) }),
      },
    ],
  }
}
