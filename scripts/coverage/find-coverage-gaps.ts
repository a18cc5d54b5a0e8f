import type { Annotation } from './annotation.ts'
import { isWithin, type Row } from './rows.ts'

/** What the table is made of. */
export interface Coverage {
  /** The documents' rows, in their order. */
  readonly rows: readonly Row[]
  /** Ids of rows that state no rule, each with the reason as text. */
  readonly exempt: readonly Row[]
  readonly annotations: readonly Annotation[]
  /** Documents and sections in which every rule has to have code and test. */
  readonly completeParts: readonly string[]
}

/**
 * Holds the annotations against the documents' rows.
 * @returns sentences: ids that no document has, rules of a complete part without code or test,
 *   exemptions of no row or without a reason; none where all is well
 */
export function findCoverageGaps(coverage: Coverage): readonly string[] {
  const { rows, exempt, annotations, completeParts } = coverage
  const known = new Set(rows.map(({ id }) => id))
  const unknown = annotations.flatMap(({ file, line, rows: named }) =>
    named
      .filter((id) => !known.has(id))
      .map((id) => `${file}:${line}: no document has the row ${id}`),
  )
  const badExemptions = exempt
    .filter(({ id, text }) => !known.has(id) || text === '')
    .map(({ id }) => `${id} states no rule: there is no such row, or no reason is given`)
  const emptyParts = completeParts
    .filter((part) => !rows.some(({ id }) => isWithin(id, part)))
    .map((part) => `${part} is marked as complete and has no row`)
  return [...unknown, ...badExemptions, ...emptyParts, ...missing(coverage)]
}

function missing({ rows, exempt, annotations, completeParts }: Coverage): readonly string[] {
  const covered = (side: Annotation['side']) =>
    new Set(annotations.filter((each) => each.side === side).flatMap((each) => each.rows))
  const inCode = covered('code')
  const inTests = covered('test')
  const exemptIds = new Set(exempt.map(({ id }) => id))
  return rows
    .filter(({ id }) => !exemptIds.has(id) && completeParts.some((part) => isWithin(id, part)))
    .flatMap(({ id, text }) => [
      ...(inCode.has(id) ? [] : [`${id} is named by no code: ${text.slice(0, 80)}`]),
      ...(inTests.has(id) ? [] : [`${id} is named by no test: ${text.slice(0, 80)}`]),
    ])
}
