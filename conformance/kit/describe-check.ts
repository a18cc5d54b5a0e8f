import { createCommand } from '#scenarios/harness/command-line.ts'
import type { ScenarioResult } from '#scenarios/harness/z-results.ts'
import type { CheckBase } from './check-base.ts'
import { clauseText } from './clause-text.ts'
import type { LoadedCheck } from './load-checks.ts'
import type { OpenPlan } from './plan.ts'
import { ruleText } from './rule-text.ts'

/** What results tell of a check before it has run. */
export function describeCheck<Context extends CheckBase>(
  { plan, algorithm }: OpenPlan<Context>,
  check: LoadedCheck<Context>,
  { repeatOptions = [] }: { readonly repeatOptions?: readonly string[] },
): ScenarioResult & { readonly check: NonNullable<ScenarioResult['check']> } {
  const { id, name, file, title, description, level, expectation, sends, decides } = check
  const { rows = [], clauses = [] } = check
  const repeat = createCommand('conformance', plan, `^${id}$`, ...repeatOptions)
  return {
    id: `${plan}/${name}`,
    suite: plan,
    name,
    algorithm,
    title,
    category: `Conformance of the ${plan}`,
    description,
    references: [
      ...rows.map((row) => ({
        document: `Document ${row.split('.')[0]}`,
        section: row.slice(row.indexOf('.') + 1),
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
      rules: rows.map((row) => ({ id: row, text: ruleText(row) })),
      clauses: clauses.map(clauseText),
      sends,
      decides,
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
