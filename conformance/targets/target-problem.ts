/** A problem in a target file. */
export interface TargetProblem {
  /** Where the value is; if it is missing or unknown, where it would be. */
  readonly path: readonly PropertyKey[]
  /** True if the problem is the member's name, not its value. */
  readonly isName?: boolean
  /** What is wrong, as a short phrase. */
  readonly message: string
  /** What to write instead. */
  readonly advice?: string
}

/** Formats a path for people: `adapter.accept-offer`, `accepted[1]`. */
export const formatPath = (path: readonly PropertyKey[]): string =>
  path
    .map((part) => (typeof part === 'number' ? `[${part}]` : `.${String(part)}`))
    .join('')
    .replace(/^\./, '')

/** The number of letters to add, remove, change or swap to turn one word into the other. */
function distance(one: string, other: string): number {
  let before: number[] = []
  let row = Array.from({ length: other.length + 1 }, (_, column) => column)
  for (let line = 1; line <= one.length; line++) {
    const next = [line]
    for (let column = 1; column <= other.length; column++) {
      const [letter, wanted] = [one[line - 1], other[column - 1]]
      const change = (row[column - 1] ?? 0) + (letter === wanted ? 0 : 1)
      const isSwap = letter === other[column - 2] && one[line - 2] === wanted
      const swap = isSwap && line > 1 ? (before[column - 2] ?? 0) + 1 : change
      next.push(Math.min(change, swap, (row[column] ?? 0) + 1, (next[column - 1] ?? 0) + 1))
    }
    before = row
    row = next
  }
  return row[other.length] ?? 0
}

const plain = (name: string) => name.toLowerCase().replace(/[-_]/g, '')

/** The name that was most likely intended, if one of these is similar. */
export function nearestName(name: string, names: readonly string[]): string | undefined {
  const near = names
    .map((known) => ({ known, steps: distance(plain(name), plain(known)) }))
    .filter(({ known, steps }) => steps <= Math.max(1, Math.floor(plain(known).length / 3)))
    .sort((one, other) => one.steps - other.steps)
  return near[0]?.known
}
