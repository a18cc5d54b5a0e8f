import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { paragraphOf, textOf } from '#core/profile/paragraph.ts'
import { createCommand } from '#scenarios/harness/command-line.ts'
import type { ScenarioResult } from '#scenarios/harness/z-results.ts'
import { planTitle } from '#scenarios/reports/formatting.ts'
import type { CheckBase } from './check.ts'
import type { LoadedCheck } from './load-checks.ts'
import type { OpenPlan } from './plan.ts'

const clausesFile = join(import.meta.dirname, '..', '..', 'docs', 'coverage', 'clauses.tsv')

let titles: ReadonlyMap<string, string> | undefined

/**
 * The clauses of standards that checks may cite, each looked up in its final text: its title by
 * `OpenID4VCI 1.0, 8.3.1.2`, empty if the clause has only a title. Read once.
 */
export function readClauseTitles(): ReadonlyMap<string, string> {
  titles ??= new Map(
    readFileSync(clausesFile, 'utf8')
      .trimEnd()
      .split('\n')
      .map((line) => line.split('\t'))
      .map(([specification, clause, title = '']) => [`${specification}, ${clause}`, title]),
  )
  return titles
}

/** A clause with its title, if known: `OpenID4VCI 1.0, 8.3.1.2 Credential Request Errors`. */
export function clauseText(clause: string): string {
  return `${clause} ${readClauseTitles().get(clause) ?? ''}`.trimEnd()
}

/** What results say about a check before it has run. */
export function describeCheck<Context extends CheckBase>(
  { plan, algorithm }: OpenPlan<Context>,
  check: LoadedCheck<Context>,
  { repeatOptions = [] }: { readonly repeatOptions?: readonly string[] },
): ScenarioResult & { readonly check: NonNullable<ScenarioResult['check']> } {
  const { id, name, file, title, description, level, expectation, sends, decides } = check
  const { rows = [], clauses = [], fix } = check
  const repeat = createCommand('conformance', plan, `^${id}$`, ...repeatOptions)
  return {
    id: `${plan}/${name}`,
    suite: plan,
    name,
    algorithm,
    title,
    category: planTitle(plan),
    description,
    references: [
      ...rows.map((row) => ({
        document: 'Profile',
        section: row,
      })),
      ...clauses.map((clause) => {
        const [document = clause, section = ''] = clause.split(', ')
        return { document, section }
      }),
    ],
    file,
    check: {
      id,
      plan,
      level,
      expectation,
      rules: rows.map((id) => ({ id, text: textOf(id), paragraph: paragraphOf(id) })),
      clauses: clauses.map(clauseText),
      sends,
      decides,
      fix,
      reason: 'It has not run.',
    },
    verdict: 'not-run',
    durationMilliseconds: 0,
    steps: [],
    attachments: [],
    hops: [],
    repeat,
  }
}

/**
 * Says how many checks a target allows to be decided, and what to add to its file for the others,
 * most useful first; undefined if nothing is missing.
 */
export function describeReach<Context extends CheckBase>(
  { missing }: Pick<OpenPlan<Context>, 'missing'>,
  checks: readonly Pick<LoadedCheck<Context>, 'id' | 'needs'>[],
): string | undefined {
  const lacking = checks.flatMap(({ id, needs = [] }) => {
    const reason = needs.map(missing).find((each) => each !== undefined)
    return reason === undefined ? [] : [{ id, reason }]
  })
  if (lacking.length === 0) return undefined
  const byReason = Map.groupBy(lacking, ({ reason }) => reason)
  const lines = [...byReason]
    .sort(([, one], [, other]) => other.length - one.length)
    .map(([reason, { length }]) => `  ${length === 1 ? '1 check ' : `${length} checks`}  ${reason}`)
  const decidable = checks.length - lacking.length
  return [
    `With this target file, the kit can decide ${decidable} of ${checks.length} checks.`,
    ...lines,
  ].join('\n')
}
