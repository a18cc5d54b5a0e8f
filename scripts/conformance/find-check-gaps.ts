import type { PlanName } from '#conformance/kit/check.ts'
import type { LoadedCheck } from '#conformance/kit/load-checks.ts'
import { catalogue, notFromDocuments } from './not-from-documents.ts'

export interface PlanOfChecks {
  readonly plan: PlanName
  readonly checks: readonly Pick<LoadedCheck, 'id' | 'level' | 'rows' | 'clauses'>[]
  /** Ids of checks that have a mutant. */
  readonly mutated: ReadonlySet<string>
}

/**
 * Possible sources of checks: statements of the profile, and clauses of standards that were looked up.
 */
export interface KnownSources {
  readonly rows: ReadonlySet<string>
  readonly clauses: ReadonlySet<string>
}

/** The minimum number of checks that the project promises. */
const fewestChecks = 250

/** Sentences about checks that are missing, that cite unknown sources, or that no mutant proves. */
export function findCheckGaps(plans: readonly PlanOfChecks[], sources: KnownSources): string[] {
  const checks = plans.flatMap((plan) => plan.checks)
  const few =
    checks.length < fewestChecks
      ? [`There are ${checks.length} checks, ${fewestChecks} are required.`]
      : []
  const cited = new Set(checks.flatMap(({ clauses = [] }) => clauses))
  return [
    ...few,
    ...plans.flatMap((plan) => gapsOf(plan, sources)),
    ...[...sources.clauses]
      .filter((clause) => !cited.has(clause))
      .map((clause) => `docs/coverage/clauses.tsv has ${clause}, which no check cites.`),
  ]
}

function gapsOf({ plan, checks, mutated }: PlanOfChecks, { rows, clauses }: KnownSources) {
  const ids = new Set(checks.map(({ id }) => id))
  return [
    ...catalogue[plan].filter((id) => !ids.has(id)).map((id) => `${plan}: ${id} is missing.`),
    ...checks.flatMap(({ id, level, rows: own = [], clauses: cited = [] }) => [
      ...own
        .filter((row) => !rows.has(row))
        .map((row) => `${plan}: ${id} names the row ${row}, which the profile does not have.`),
      ...cited
        .filter((clause) => !clauses.has(clause))
        .map((clause) => `${plan}: ${id} cites ${clause}, which docs/coverage/clauses.tsv lacks.`),
      ...(level === 'spec' && notFromDocuments.includes(id)
        ? [`${plan}: ${id} is of level spec, but no statement of the profile requires it.`]
        : []),
      ...(mutated.has(id) ? [] : [`${plan}: ${id} has no mutant, so nothing shows it can fail.`]),
    ]),
  ]
}
