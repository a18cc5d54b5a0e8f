import { isReservedClaim, memberAt } from '#kit/openid-provider/claims.ts'

/** How a claim is computed. */
export interface Mapper {
  readonly claim: string
  /** Paths to members of the credential; several values are joined with a space. */
  readonly paths: readonly (readonly string[])[]
}

export type ParsedMapper =
  | { readonly ok: true; readonly mapper: Mapper }
  | { readonly ok: false; readonly reason: string }

const claimName = /^[A-Za-z0-9_.:/-]{1,100}$/
const path = /^[A-Za-z0-9_-]+(\.[A-Za-z0-9_-]+)*$/
const longestPaths = 1000

/**
 * Parses a mapper with the syntax `key = path.to.field` (profile/idp, Claims). In addition, `key =
 * first.path + second.path` joins two values, which `name` needs. Rejects an invalid mapper or a
 * reserved claim, with the reason in plain text.
 */
export function parseMapper(text: string): ParsedMapper {
  const refuse = (reason: string) => ({ ok: false, reason }) as const
  const separator = text.indexOf('=')
  if (separator === -1) return refuse('The “=” is missing: write key = path.to.field.')
  const claim = text.slice(0, separator).trim()
  const right = text.slice(separator + 1).trim()
  if (claim === '') return refuse('The claim name before the “=” is missing.')
  if (!claimName.test(claim)) {
    return refuse('The claim name may only contain letters, digits and _ . : / -')
  }
  if (isReservedClaim(claim)) return refuse(`The claim ${claim} is reserved.`)
  if (right === '') return refuse('The path after the “=” is missing.')
  const paths = right.split('+').map((each) => each.trim())
  if (right.length > longestPaths || !paths.every((each) => path.test(each))) {
    return refuse('The path must be member names separated by dots, such as path.to.field.')
  }
  return { ok: true, mapper: { claim, paths: paths.map((each) => each.split('.')) } }
}

/** A problem in a line; lines count from 1. */
interface MapperProblem {
  readonly line: number
  readonly reason: string
}

export interface ParsedMappers {
  /** The mappers of the valid lines. */
  readonly mappers: readonly Mapper[]
  readonly problems: readonly MapperProblem[]
}

const mostLines = 200

/**
 * Parses a scope's mappers, one per line (profile/idp, Claims). Skips empty lines, and parses every
 * line even after an invalid one.
 */
export function parseMappers(text: string): ParsedMappers {
  const mappers: Mapper[] = []
  const problems: MapperProblem[] = []
  const lineOf = new Map<string, number>()
  const lines = text.split(/\r\n|\n|\r/)
  if (lines.length > mostLines) {
    problems.push({ line: mostLines + 1, reason: `There are more than ${mostLines} lines.` })
  }
  for (const [index, content] of lines.slice(0, mostLines).entries()) {
    if (content.trim() === '') continue
    const line = index + 1
    const parsed = parseMapper(content)
    if (!parsed.ok) {
      problems.push({ line, reason: parsed.reason })
      continue
    }
    const { claim } = parsed.mapper
    const first = lineOf.get(claim)
    if (first !== undefined) {
      problems.push({ line, reason: `The claim ${claim} is already defined in line ${first}.` })
      continue
    }
    lineOf.set(claim, line)
    mappers.push(parsed.mapper)
  }
  return { mappers, problems }
}

/**
 * Computes the claims that the mappers take from a credential (its `vc` claim). Lists and objects
 * become JSON strings: `power` is a string with the serialized list (the profile). A member that
 * the credential lacks yields no claim.
 *
 * @row 1.resources-and-their-fields/idp-id-token-claims.1..2
 */
export function mapClaims(
  mappers: readonly Mapper[],
  credential: unknown,
): Readonly<Record<string, unknown>> {
  const claims: Record<string, unknown> = {}
  for (const { claim, paths } of mappers) {
    const values = paths.map((path) => memberAt(credential, path)).filter((value) => value != null)
    if (values.length === 0) continue
    const [first] = values
    claims[claim] = paths.length === 1 ? simplify(first) : values.map(simplify).join(' ')
  }
  return claims
}

function simplify(value: unknown): unknown {
  return typeof value === 'object' ? JSON.stringify(value) : value
}

export interface MapperPreview {
  readonly problems: readonly MapperProblem[]
  /** One entry for each valid line, without a value if the credential lacks it. */
  readonly claims: readonly { readonly claim: string; readonly value: unknown }[]
}

/** Applies a mapper text to a credential. */
export function previewMappers(text: string, credential: unknown): MapperPreview {
  const { mappers, problems } = parseMappers(text)
  const values = mapClaims(mappers, credential)
  return { problems, claims: mappers.map(({ claim }) => ({ claim, value: values[claim] })) }
}
