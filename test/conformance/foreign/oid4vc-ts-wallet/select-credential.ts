import { decodeJwt } from 'jose'
import { query as evaluateJsonPath, type JsonValue } from 'jsonpath-rfc9535'
import { z } from 'zod'

const zQuery = z.looseObject({
  credentials: z.tuple([
    z.looseObject({
      id: z.string(),
      format: z.string(),
      meta: z.looseObject({ vct_values: z.array(z.string()).optional() }).optional(),
      claims: z.array(z.looseObject({ path: z.array(z.string()) })).optional(),
    }),
  ]),
})

const zCredential = z.looseObject({ type: z.array(z.string()) })

/**
 * Glue: oid4vc-ts leaves the query to the package dcql, and that one refuses `vct_values` for the
 * format jwt_vc_json and has no JSONPath, which the profile's queries consist of.
 */
export function selectCredential(
  dcqlQuery: unknown,
  held: readonly string[],
): { queryId: string; credential: string } {
  const [wanted] = zQuery.parse(dcqlQuery).credentials
  if (wanted.format !== 'jwt_vc_json') throw new Error(`no credential of format ${wanted.format}`)
  const credential = held.find((jwt) => {
    const payload = decodeJwt(jwt)
    const { type: types } = zCredential.parse(payload.vc)
    const { meta, claims = [] } = wanted
    return (
      (meta?.vct_values?.some((type) => types.includes(type)) ?? true) &&
      claims.every(({ path: paths }) =>
        paths.every((path) => evaluateJsonPath(payload as JsonValue, path).length > 0),
      )
    )
  })
  if (credential === undefined) throw new Error('no credential matches the query')
  return { queryId: wanted.id, credential }
}
