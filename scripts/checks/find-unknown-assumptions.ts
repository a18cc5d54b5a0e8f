export interface SourceFile {
  readonly file: string
  readonly text: string
}

/**
 * Holds the numbers that the code names (`@assumption A-07`) against docs/assumptions.md.
 * @param table the document: one table row a number, in ascending order
 * @returns sentences that say what is wrong; none where all is well
 */
export function findUnknownAssumptions(table: string, sources: readonly SourceFile[]): string[] {
  const listed = [...table.matchAll(/^\| (A-\d+) \|/gm)].map(([, number = '']) => number)
  const misplaced = listed
    .filter((number, index) => Number(number.slice(2)) <= Number(listed[index - 1]?.slice(2) ?? 0))
    .map((number) => `${number} breaks the order of docs/assumptions.md`)
  const unknown = sources.flatMap(({ file, text }) =>
    [...text.matchAll(/@assumption ((?:A-\d+(?:, | and | )?)+)/g)].flatMap(([, numbers = '']) =>
      [...numbers.matchAll(/A-\d+/g)]
        .map(([number]) => number)
        .filter((number) => !listed.includes(number))
        .map((number) => `${file} names ${number}, which docs/assumptions.md does not list`),
    ),
  )
  return [...misplaced, ...unknown]
}
