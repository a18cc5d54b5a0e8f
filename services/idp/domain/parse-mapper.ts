import { isReservedClaim } from '#kit/openid-provider/claims.ts'

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
 * Reads a mapper in the syntax `key = path.to.field` (document 1, IDP id_token claims). Beyond it,
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
