import { isReservedClaim, memberAt } from '#kit/openid-provider/claims.ts'

/** How one claim is made. */
export interface Mapper {
  readonly claim: string
  /** Members to follow into the credential; several values are joined with a space. */
  readonly paths: readonly (readonly string[])[]
}

export type ParsedMapper =
  | { readonly ok: true; readonly mapper: Mapper }
  | { readonly ok: false; readonly reason: string }

const claimName = /^[A-Za-z0-9_.:/-]{1,100}$/
const path = /^[A-Za-z0-9_-]+(\.[A-Za-z0-9_-]+)*$/
const longestPaths = 1000

/**
 * Reads a mapper in the syntax `key = path.to.field` (profile/idp, Claims). Beyond it,
 * `key = first.path + second.path` joins two values, which `name` needs. Refuses, with the reason in
 * words for people, what is none, or names a claim that is not a mapper's to make.
 */
export function parseMapper(text: string): ParsedMapper {
  const refuse = (reason: string) => ({ ok: false, reason }) as const
  const separator = text.indexOf('=')
  if (separator === -1) return refuse('It has no “=”: write key = path.to.field.')
  const claim = text.slice(0, separator).trim()
  const right = text.slice(separator + 1).trim()
  if (claim === '') return refuse('The claim’s name is missing before the “=”.')
  if (!claimName.test(claim)) {
    return refuse('The claim’s name has other characters than letters, digits and _ . : / -')
  }
  if (isReservedClaim(claim)) return refuse(`The claim ${claim} is reserved.`)
  if (right === '') return refuse('The path is missing after the “=”.')
  const paths = right.split('+').map((each) => each.trim())
  if (right.length > longestPaths || !paths.every((each) => path.test(each))) {
    return refuse('The path is no list of member names with dots between, as path.to.field is.')
  }
  return { ok: true, mapper: { claim, paths: paths.map((each) => each.split('.')) } }
}

/** What is wrong with a line; lines count from 1. */
interface MapperProblem {
  readonly line: number
  readonly reason: string
}

export interface ParsedMappers {
  /** Of the lines that can be read. */
  readonly mappers: readonly Mapper[]
  readonly problems: readonly MapperProblem[]
}

const mostLines = 200

/**
 * Reads a scope's mappers, one a line (profile/idp, Claims). Empty lines are passed
 * over; every other line is read, whatever is wrong with the ones before.
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
      problems.push({ line, reason: `The claim ${claim} is made by line ${first} already.` })
      continue
    }
    lineOf.set(claim, line)
    mappers.push(parsed.mapper)
  }
  return { mappers, problems }
}

/**
 * The claims that mappers make out of a credential (its `vc` claim). Lists and objects become their
 * JSON text: `power` is a string that holds the serialized list (the profile). What the credential
 * does not hold gives no claim.
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
  /** One entry for each line that can be read; without a value where the credential has none. */
  readonly claims: readonly { readonly claim: string; readonly value: unknown }[]
}

/** What a text of mappers makes of a credential. */
export function previewMappers(text: string, credential: unknown): MapperPreview {
  const { mappers, problems } = parseMappers(text)
  const values = mapClaims(mappers, credential)
  return { problems, claims: mappers.map(({ claim }) => ({ claim, value: values[claim] })) }
}
