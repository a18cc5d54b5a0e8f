import { query as evaluateJsonPath } from 'jsonpath-rfc9535'
import { z } from 'zod'
import { parseJws } from '#core/crypto/jws.ts'
import { membersOf } from '#core/json/json-object.ts'

/** The only presentation format in the profile. */
export const presentedFormat = 'jwt_vc_json'

const zJsonPath = z.string().min(1).max(512).refine(isJsonPath, 'it is not a JSONPath expression')

/**
 * A claim that the credential must contain, as JSONPath expressions into the credential's payload.
 */
const zClaimQuery = z.looseObject({
  path: z.array(zJsonPath).min(1).max(32),
  /** The allowed values of the claim, if given (OpenID4VP 1.0, 6.3). */
  values: z
    .array(z.union([z.string(), z.number(), z.boolean()]))
    .min(1)
    .max(64)
    .optional(),
})

const zCredentialQuery = z.looseObject({
  id: z.string().min(1).max(128),
  format: z.literal(presentedFormat),
  meta: z.looseObject({ vct_values: z.array(z.string()).min(1).optional() }).optional(),
  claims: z.array(zClaimQuery).max(64).optional(),
})

/**
 * dcql_query in the profile's dialect: `meta.vct_values` names accepted types and paths are
 * JSONPath expressions (profile/verifier, Presentation request).
 *
 * @row 1.resources-and-their-fields/presentation-authorization-request.7
 */
export const zDcqlQuery = z.looseObject({
  credentials: z.array(zCredentialQuery).min(1).max(16),
})

type ClaimQuery = z.infer<typeof zClaimQuery>
export type CredentialQuery = z.infer<typeof zCredentialQuery>
export type DcqlQuery = z.infer<typeof zDcqlQuery>

export interface CreateDcqlQueryOptions {
  /** Named in the presentation_submission. */
  readonly id: string
  readonly types: readonly string[]
  /** JSONPath expressions such as `$.vc.credentialSubject.mandate`. */
  readonly claims?: readonly string[]
}

/**
 * Creates a dcql_query for one credential (profile/verifier, Presentation request).
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

/** The credentials that match one element of a query. */
export interface CredentialMatches {
  readonly queryId: string
  /** Indexes in the given list. */
  readonly matches: readonly number[]
}

const mostMultiplying = 8
/** Values that the paths of one element may visit in a credential: about 0.1 s. */
const mostVisits = 200_000
const quotedNames = /'(?:[^'\\]|\\.)*'|"(?:[^"\\]|\\.)*"/g
const negativeSlice = /-\d+\s*:|:\s*-/

type Json = Parameters<typeof evaluateJsonPath>[0]

/**
 * Evaluates a query over credentials (JWTs): for each element it returns the credentials whose type
 * is among `meta.vct_values` and that contain every path of every claim. A JSONPath that is
 * invalid, too complex, or contains a filter or a slice from the end matches nothing.
 *
 * @see profile/verifier, Presentation request
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

/** True if a credential's payload matches one element of a query. */
export function matchesCredentialQuery(
  { meta, claims = [] }: CredentialQuery,
  payload: Readonly<Record<string, unknown>>,
): boolean {
  const accepted = meta?.vct_values
  if (accepted && !typesOf(payload).some((type) => accepted.includes(type))) return false
  if (claims.length === 0) return true
  const size = sizeOf(payload)
  const visits = claims.flatMap(({ path }) => path.map((text) => visitsOf(text, size)))
  if (visits.reduce((sum, each) => sum + each, 0) > mostVisits) return false
  return claims.every(({ path, values }) => path.every((text) => contains(payload, text, values)))
}

interface Size {
  readonly values: number
  readonly depth: number
}

/** The number of values in a payload, which nests at most as deeply as a message may. */
function sizeOf(value: unknown): Size {
  if (typeof value !== 'object' || value === null) return { values: 1, depth: 1 }
  const members = Object.values(value).map(sizeOf)
  return {
    values: members.reduce((sum, { values }) => sum + values, 1),
    depth: members.reduce((most, { depth }) => Math.max(most, depth), 0) + 1,
  }
}

/**
 * The values that a path visits at most. Each descent after the first finds a value once for each
 * value around it, and a union finds it once for each selector.
 */
function visitsOf(path: string, { values, depth }: Size): number {
  const syntax = path.replace(quotedNames, '')
  const descents = syntax.split('..').length - 1
  const commas = syntax.split(',').length - 1
  if (!/[*:,]/.test(syntax) && descents === 0) return 1
  return values * depth ** Math.max(0, descents - 1) * 2 ** commas
}

function contains(
  payload: Readonly<Record<string, unknown>>,
  path: string,
  values: ClaimQuery['values'],
): boolean {
  // A query must not overload the wallet: filters can contain regular expressions, and each
  // wildcard, slice, union or descent multiplies the work.
  const syntax = path.replace(quotedNames, '')
  const multiplying = syntax.match(/,|\*|:|\.\./g)?.length ?? 0
  if (syntax.includes('?') || multiplying > mostMultiplying) return false
  // The library counts from the wrong end if a negative bound is outside the list.
  if (negativeSlice.test(syntax)) return false
  try {
    const found: readonly unknown[] = evaluateJsonPath(payload as Json, path)
    // OpenID4VP 1.0, 6.3; the profile's queries do not use values.
    return found.some((value) => values === undefined || values.some((each) => each === value))
  } catch {
    return false
  }
}

function isJsonPath(text: string): boolean {
  try {
    evaluateJsonPath({}, text)
    return true
  } catch {
    return false
  }
}

function typesOf(payload: Readonly<Record<string, unknown>>): readonly string[] {
  const { type } = membersOf(payload.vc)
  return Array.isArray(type) ? type.filter((item) => typeof item === 'string') : []
}

function readPayload(credential: string): Readonly<Record<string, unknown>> | undefined {
  const jws = parseJws(credential)
  return jws.ok ? jws.payload : undefined
}
