import { type ParsedJws, parseJws } from '#core/crypto/parse-jws.ts'
import { deepestNesting, nestsDeeperThan } from '#core/verification/nests-deeper-than.ts'

/**
 * Takes a presentation apart, which is what decides whether a post is one at all: a JWT whose header
 * and payload are JSON objects nested no deeper than any real one. Undefined for anything else.
 *
 * @assumption A-30
 */
export function parseVpToken(vpToken: string | undefined): ParsedJws | undefined {
  const jws = vpToken === undefined ? undefined : parseJws(vpToken)
  if (!jws?.ok || nestsDeeperThan([jws.header, jws.payload], deepestNesting)) return undefined
  return jws
}
