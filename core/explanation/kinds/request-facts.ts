import type { ExplainedFact } from '../explanation.ts'
import { factsOf, timeOf } from '../facts-of.ts'
import { asObject, type JsonObject, parseJson } from '../read-input.ts'

/** What a presentation request says, from its parameters. */
export function requestFacts(parameters: JsonObject): readonly ExplainedFact[] {
  const { client_id, response_uri, nonce, state, dcql_query, iat, exp } = parameters
  return factsOf([
    ['Verifier', client_id],
    ['Answer to', response_uri],
    ['Nonce', nonce],
    ['State', state],
    ...queriesIn(dcql_query).map((query) => ['Asks for', query] as const),
    ['Made', timeOf(iat)],
    ['Expires', timeOf(exp)],
  ])
}

function queriesIn(value: unknown): readonly string[] {
  const parsed = typeof value === 'string' ? parseJson(value) : undefined
  const query = asObject(parsed?.ok ? parsed.value : value)
  const credentials = Array.isArray(query?.credentials) ? query.credentials.slice(0, 16) : []
  return credentials.map((element: unknown) => {
    const { id, format, meta, claims } = asObject(element) ?? {}
    const types = [asObject(meta)?.vct_values].flat().filter((type) => typeof type === 'string')
    const paths = Array.isArray(claims)
      ? claims.flatMap((claim: unknown) => asObject(claim)?.path ?? [])
      : []
    const asked = paths.length === 0 ? '' : ` with ${paths.map(String).join(', ')}`
    return `${types.join(' or ') || String(format)} (${String(id)})${asked}`
  })
}
