import type { Results } from './z-results.ts'

/**
 * Puts the results of several workers together, each of which ran a part of the scenarios; `ids` is
 * their order in the whole. What is said of the run as such is taken from the first.
 */
export function mergeResults(
  parts: readonly [Results, ...Results[]],
  ids: readonly string[],
): Results {
  const byId = new Map(parts.flatMap(({ scenarios }) => scenarios).map((each) => [each.id, each]))
  const [first] = parts
  const startedAt = parts.map((part) => part.startedAt).sort()[0] ?? first.startedAt
  const endedAt = Math.max(
    ...parts.map((part) => Date.parse(part.startedAt) + part.durationMilliseconds),
  )
  return {
    ...first,
    startedAt,
    durationMilliseconds: endedAt - Date.parse(startedAt),
    interrupted: parts.some(({ interrupted }) => interrupted),
    warnings: [...new Set(parts.flatMap(({ warnings }) => warnings))],
    scenarios: ids.map((id) => byId.get(id)).filter((result) => result !== undefined),
  }
}
