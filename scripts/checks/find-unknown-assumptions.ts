export interface SourceFile {
  readonly file: string
  readonly text: string
}

/**
 * Holds the numbers that the code names (`@assumption A-07`) against docs/assumptions.md.
 * @param table the document: one table row a number, counted up without a gap
 * @returns sentences that say what is wrong; none where all is well
 */
export function findUnknownAssumptions(table: string, sources: readonly SourceFile[]): string[] {
  const listed = [...table.matchAll(/^\| (A-\d+) \|/gm)].map(([, number = '']) => number)
  const expected = listed.map((_, index) => `A-${String(index + 1).padStart(2, '0')}`)
  const gaps = listed
    .filter((number, index) => number !== expected[index])
    .slice(0, 1)
    .map((number) => `${number} breaks the sequence of docs/assumptions.md`)
  const unknown = sources.flatMap(({ file, text }) =>
    [...text.matchAll(/@assumption ((?:A-\d+(?:, | and | )?)+)/g)].flatMap(([, numbers = '']) =>
      [...numbers.matchAll(/A-\d+/g)]
        .map(([number]) => number)
        .filter((number) => !listed.includes(number))
        .map((number) => `${file} names ${number}, which docs/assumptions.md does not list`),
    ),
  )
  return [...gaps, ...unknown]
}
