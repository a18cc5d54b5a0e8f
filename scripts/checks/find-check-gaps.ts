import type { PlanName } from '#conformance/kit/check.ts'
import type { LoadedCheck } from '#conformance/kit/load-checks.ts'

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

/**
 * Checks of the catalogue that no statement of the profile requires: they are based on another
 * standard or on good practice, so they cannot be of level `spec`.
 */
export const notFromDocuments: readonly string[] = [
  ...range('W', 17, 26),
  ...['W28', 'W38', ...range('W', 53, 55)],
  ...['V02', 'V03', 'V08', 'V10', 'V18', 'V37', ...range('V', 42, 48), 'V51'],
  ...['I09', 'I14', 'I18', 'I19', 'I20', 'I41', 'I42', 'I43', 'I45', 'I47', 'I65', 'I66'],
  ...['I70', 'I71'],
  ...['O06', 'O07', 'O16', 'O17'],
]

/** Ids of the original catalogue of each plan; all of them must exist. */
export const catalogue = {
  wallet: range('W', 1, 55),
  verifier: range('V', 1, 51),
  issuer: range('I', 1, 81),
  idp: range('O', 1, 17),
  'relying-party': [
    ...[...range('R', 1, 8), ...range('R', 10, 17), ...range('R', 20, 24)],
    ...[...range('R', 30, 36), ...range('R', 40, 47), ...range('R', 60, 65)],
  ],
  'did-registry': range('D', 1, 20),
  tir: range('T', 1, 15),
} as const

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

/** `range('W', 1, 3)`: W01, W02, W03. */
function range(letter: string, first: number, last: number): string[] {
  return Array.from({ length: last - first + 1 }, (_, index) => {
    return `${letter}${String(first + index).padStart(2, '0')}`
  })
}
