import type { PlanName } from '#scenarios/conformance/define-check.ts'
import type { LoadedCheck } from '#scenarios/conformance/load-checks.ts'
import { catalogue, notFromDocuments } from './not-from-documents.ts'

export interface PlanOfChecks {
  readonly plan: PlanName
  readonly checks: readonly Pick<LoadedCheck, 'id' | 'level' | 'rows'>[]
  /** Ids of checks that have a mutant. */
  readonly mutated: ReadonlySet<string>
}

/** Fewer would be less than was promised. */
const fewestChecks = 250

/** Sentences about checks that are missing, that claim too much, or that nothing shows to work. */
export function findCheckGaps(plans: readonly PlanOfChecks[], rows: ReadonlySet<string>): string[] {
  const count = plans.reduce((sum, { checks }) => sum + checks.length, 0)
  const few = count < fewestChecks ? [`There are ${count} checks, ${fewestChecks} are due.`] : []
  return [...few, ...plans.flatMap((plan) => gapsOf(plan, rows))]
}

function gapsOf({ plan, checks, mutated }: PlanOfChecks, rows: ReadonlySet<string>): string[] {
  const ids = new Set(checks.map(({ id }) => id))
  return [
    ...catalogue[plan].filter((id) => !ids.has(id)).map((id) => `${plan}: ${id} is missing.`),
    ...checks.flatMap(({ id, level, rows: own = [] }) => [
      ...own
        .filter((row) => !rows.has(row))
        .map((row) => `${plan}: ${id} names the row ${row}, which the documents do not have.`),
      ...(level === 'spec' && notFromDocuments.includes(id)
        ? [`${plan}: ${id} is of level spec, though no sentence of the documents demands it.`]
        : []),
      ...(mutated.has(id) ? [] : [`${plan}: ${id} has no mutant, so nothing shows it can fail.`]),
    ]),
  ]
}
