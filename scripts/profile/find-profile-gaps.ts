import { type Statement, sectionOf } from './parse-statements.ts'

const numberOf = (id: string) => Number(id.slice(id.lastIndexOf('.') + 1))

/**
 * The statements of all pages, sorted by section and number.
 * @returns problems: an id that appears twice, or a number that its section skips
 */
export function findProfileGaps(statements: readonly Statement[]): readonly string[] {
  const pages = Map.groupBy(statements, ({ id }) => id)
  const duplicates = [...pages].flatMap(([id, uses]) =>
    uses.length === 1
      ? []
      : [`${id} appears ${uses.length} times: ${uses.map(({ page }) => page).join(', ')}`],
  )
  const gaps = [...Map.groupBy(statements, ({ id }) => sectionOf(id))].flatMap(([section, own]) => {
    const numbers = new Set(own.map(({ id }) => numberOf(id)))
    return Array.from({ length: Math.max(...numbers) }, (_, index) => index + 1)
      .filter((number) => !numbers.has(number))
      .map((number) => `${section}.${number} has no paragraph in docs/profile`)
  })
  return [...duplicates, ...gaps]
}

/** By section, then by number. */
export const sortStatements = (statements: readonly Statement[]): readonly Statement[] =>
  statements.toSorted((one, other) => {
    const [section, otherSection] = [sectionOf(one.id), sectionOf(other.id)]
    if (section === otherSection) return numberOf(one.id) - numberOf(other.id)
    return section < otherSection ? -1 : 1
  })
