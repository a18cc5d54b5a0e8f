/** Beyond this share of a name that differs, it is another name and not a typing error. */
const mostDifferent = 0.5
/** Longer words are not compared: the work grows with the product of their lengths. */
const longestWord = 100

/** How many characters have to be inserted, removed or changed (Levenshtein). */
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

/** The names that a mistyped one may stand for, the nearest first; at most three. */
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

/** A hint for a mistyped name; none if nothing is near. */
export function didYouMean(wanted: string, names: Iterable<string>): string[] {
  const nearest = findNearest(wanted, names)
  return nearest.length === 0 ? [] : [`Did you mean ${nearest.join(', ')}?`]
}
