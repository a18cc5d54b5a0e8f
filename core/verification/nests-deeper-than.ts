/**
 * Says whether a JSON value nests deeper than a limit. Works without recursion, so that what was
 * nested to exhaust the stack does not do so here.
 */
export function nestsDeeperThan(value: unknown, limit: number): boolean {
  let level: unknown[] = [value]
  for (let depth = 0; depth <= limit; depth++) {
    level = level.flatMap((item) =>
      typeof item === 'object' && item !== null ? Object.values(item) : [],
    )
    if (level.length === 0) return false
  }
  return true
}

/** No message of these protocols nests half as deep. */
export const deepestNesting = 32
