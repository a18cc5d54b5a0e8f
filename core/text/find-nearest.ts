/** If more than this share of a name differs, it is a different name and not a typo. */
const mostDifferent = 0.5
/** Longer words are not compared, because the work grows with the product of their lengths. */
const longestWord = 100

/** The number of characters to insert, remove or change (Levenshtein distance). */
function distanceOf(one: string, other: string): number {
  let row = Array.from({ length: other.length + 1 }, (_, index) => index)
  for (const [index, character] of [...one].entries()) {
    const next = [index + 1]
    for (const [column, letter] of [...other].entries()) {
      const [left = 0, above = 0, diagonal = 0] = [next[column], row[column + 1], row[column]]
      next.push(Math.min(left + 1, above + 1, diagonal + (letter === character ? 0 : 1)))
    }
    row = next
  }
  return row.at(-1) ?? 0
}

/** Returns up to three names that a mistyped name may mean, the nearest first. */
function findNearest(wanted: string, names: Iterable<string>): string[] {
  const word = wanted.toLowerCase()
  if (word === '' || word.length > longestWord) return []
  return [...new Set(names)]
    .map((name) => ({ name, distance: distanceOf(word, name.toLowerCase()) }))
    .filter(({ name, distance }) => distance <= mostDifferent * Math.max(word.length, name.length))
    .toSorted((one, other) => one.distance - other.distance)
    .slice(0, 3)
    .map(({ name }) => name)
}

/** Returns a hint for a mistyped name; empty if no name is near. */
export function didYouMean(wanted: string, names: Iterable<string>): string[] {
  const nearest = findNearest(wanted, names)
  return nearest.length === 0 ? [] : [`Did you mean ${nearest.join(', ')}?`]
}
