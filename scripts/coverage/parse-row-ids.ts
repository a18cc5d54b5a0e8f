/** An id as `2.endpoints/did-registry.3`, or a range of its last number: `2.errors/tir.1..3`. */
const idOrRange = /^(\d+\.[a-z0-9/-]+)\.(\d+)(?:\.\.(\d+))?$/

/**
 * Reads the ids of an annotation, which stand between blanks, and writes the ranges out.
 * @returns the single ids, and the words that are none
 */
export function parseRowIds(text: string): {
  readonly rows: readonly string[]
  readonly unreadable: readonly string[]
} {
  const words = text.split(/\s+/).filter((word) => word !== '')
  const read = words.map((word) => ({ word, rows: writeOut(word) }))
  return {
    rows: read.flatMap(({ rows }) => rows),
    unreadable: read.filter(({ rows }) => rows.length === 0).map(({ word }) => word),
  }
}

function writeOut(word: string): readonly string[] {
  const [, section, from, to = from] = idOrRange.exec(word) ?? []
  const length = Number(to) - Number(from) + 1
  return section === undefined || length < 1
    ? []
    : Array.from({ length }, (_, index) => `${section}.${Number(from) + index}`)
}
