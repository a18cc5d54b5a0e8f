import type { Statement } from '../profile/parse-statements.ts'
import type { Annotation } from './annotation.ts'
import { type Exemption, isWithin } from './statements.ts'

/** The content of the coverage table. */
export interface Coverage {
  /** The statements of the profile, sorted. */
  readonly statements: readonly Statement[]
  readonly exempt: readonly Exemption[]
  readonly annotations: readonly Annotation[]
  /** Parts and sections in which every rule needs code and test. */
  readonly completeParts: readonly string[]
}

/**
 * Compares the annotations with the statements of the profile.
 * @returns problems: unknown ids, rules of a complete part without code or test, exemptions that are
 *   unknown or have no reason
 */
export function findCoverageGaps(coverage: Coverage): readonly string[] {
  const { statements, exempt, annotations, completeParts } = coverage
  const known = new Set(statements.map(({ id }) => id))
  const unknown = annotations.flatMap(({ file, line, rows: named }) =>
    named
      .filter((id) => !known.has(id))
      .map((id) => `${file}:${line}: the profile has no statement ${id}`),
  )
  const badExemptions = exempt
    .filter(({ id, reason }) => !known.has(id) || reason === '')
    .map(({ id }) => `${id} in docs/coverage/no-rule.tsv is unknown or has no reason`)
  const emptyParts = completeParts
    .filter((part) => !statements.some(({ id }) => isWithin(id, part)))
    .map((part) => `${part} is marked as complete and has no statements`)
  return [...unknown, ...badExemptions, ...emptyParts, ...missing(coverage)]
}

function missing(coverage: Coverage): readonly string[] {
  const { statements, exempt, annotations, completeParts } = coverage
  const covered = (side: Annotation['side']) =>
    new Set(annotations.filter((each) => each.side === side).flatMap((each) => each.rows))
  const inCode = covered('code')
  const inTests = covered('test')
  const exemptIds = new Set(exempt.map(({ id }) => id))
  return statements
    .filter(({ id }) => !exemptIds.has(id) && completeParts.some((part) => isWithin(id, part)))
    .flatMap(({ id, text }) => [
      ...(inCode.has(id) ? [] : [`${id} is named by no code: ${text.slice(0, 80)}`]),
      ...(inTests.has(id) ? [] : [`${id} is named by no test: ${text.slice(0, 80)}`]),
    ])
}
