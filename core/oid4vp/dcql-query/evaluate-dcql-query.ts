import { query as evaluateJsonPath } from 'jsonpath-rfc9535'
import { parseJws } from '#core/crypto/parse-jws.ts'
import { deepestNesting, nestsDeeperThan } from '#core/verification/nests-deeper-than.ts'
import type { ClaimQuery, CredentialQuery, DcqlQuery } from './z-dcql-query.ts'

/** Which of the held credentials answer one element of a query. */
export interface CredentialMatches {
  readonly queryId: string
  /** Positions in the list that was given. */
  readonly matches: readonly number[]
}

const mostMultiplying = 8
const quotedNames = /'(?:[^'\\]|\\.)*'|"(?:[^"\\]|\\.)*"/g
const negativeSlice = /-\d+\s*:|:\s*-/

type Json = Parameters<typeof evaluateJsonPath>[0]

/**
 * Evaluates a query over credentials (JWTs): for each element the ones whose type is among
 * `meta.vct_values` and that contain every path of every claim. A JSONPath that can't be read,
 * asks for a filter, a slice from the end, or for more than any real query needs, matches nothing.
 *
 * @see Document 1, Presentation authorization_request
 */
export function evaluateDcqlQuery(
  query: DcqlQuery,
  credentials: readonly string[],
): readonly CredentialMatches[] {
  const payloads = credentials.map(readPayload)
  return query.credentials.map((element) => ({
    queryId: element.id,
    matches: payloads.flatMap((payload, index) =>
      payload && matchesCredentialQuery(element, payload) ? [index] : [],
    ),
  }))
}

/** Says whether a credential's payload answers one element of a query. */
export function matchesCredentialQuery(
  { meta, claims = [] }: CredentialQuery,
  payload: Readonly<Record<string, unknown>>,
): boolean {
  const accepted = meta?.vct_values
  if (accepted && !typesOf(payload).some((type) => accepted.includes(type))) return false
  return claims.every(({ path, values }) => path.every((text) => contains(payload, text, values)))
}

function contains(
  payload: Readonly<Record<string, unknown>>,
  path: string,
  values: ClaimQuery['values'],
): boolean {
  // A query must not keep the one who evaluates it busy: filters can hold regular expressions, and
  // each wildcard, slice, union or descent multiplies the work.
  const syntax = path.replace(quotedNames, '')
  const multiplying = syntax.match(/,|\*|:|\.\./g)?.length ?? 0
  if (syntax.includes('?') || multiplying > mostMultiplying) return false
  // The library counts from the wrong end where a negative bound lies outside the list.
  if (negativeSlice.test(syntax)) return false
  try {
    const found: readonly unknown[] = evaluateJsonPath(payload as Json, path)
    // OpenID4VP 1.0, 6.3; the document's queries name none.
    return found.some((value) => values === undefined || values.some((each) => each === value))
  } catch {
    return false
  }
}

function typesOf(payload: Readonly<Record<string, unknown>>): readonly string[] {
  const { vc } = payload
  const type = typeof vc === 'object' && vc !== null && 'type' in vc ? vc.type : undefined
  return Array.isArray(type) ? type.filter((item) => typeof item === 'string') : []
}

function readPayload(credential: string): Readonly<Record<string, unknown>> | undefined {
  const jws = parseJws(credential)
  return jws.ok && !nestsDeeperThan(jws.payload, deepestNesting) ? jws.payload : undefined
}
