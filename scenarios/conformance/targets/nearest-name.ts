/** Letters to add, drop or change to make one word of another. */
function distance(one: string, other: string): number {
  let row = Array.from({ length: other.length + 1 }, (_, column) => column)
  for (const [index, letter] of [...one].entries()) {
    const next = [index + 1]
    for (let column = 1; column <= other.length; column++) {
      const change = (row[column - 1] ?? 0) + (letter === other[column - 1] ? 0 : 1)
      next.push(Math.min(change, (row[column] ?? 0) + 1, (next[column - 1] ?? 0) + 1))
    }
    row = next
  }
  return row[other.length] ?? 0
}

const plain = (name: string) => name.toLowerCase().replace(/[-_]/g, '')

/** The name that was most likely meant, if any of these is near. */
export function nearestName(name: string, names: readonly string[]): string | undefined {
  const near = names
    .map((known) => ({ known, steps: distance(plain(name), plain(known)) }))
    .filter(({ known, steps }) => steps <= Math.max(1, Math.floor(plain(known).length / 3)))
    .sort((one, other) => one.steps - other.steps)
  return near[0]?.known
}
