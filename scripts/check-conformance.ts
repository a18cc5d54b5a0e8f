// Compares the conformance checks with the statements of the profile, the clauses of standards and
// their mutants, and compares docs/reference/conformance-checks.md and the tables of scores with all of
// them. With --write it updates them.

import { readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { type PlanName, planNames } from '#conformance/kit/check.ts'
import { clauseText, readClauseTitles } from '#conformance/kit/describe-check.ts'
import { type LoadedCheck, loadChecks } from '#conformance/kit/load-checks.ts'
import { statements } from '#core/profile/statements.ts'
import {
  type RecordedScore,
  readRecordedScores,
} from '#test/conformance/mutation/generated/score.ts'
import { loadMutants } from '#test/conformance/mutation/install-mutants.ts'
import { findCheckGaps } from './checks/find-check-gaps.ts'
import { keepGenerated, reportProblems } from './checks/report-problems.ts'
import { plain, table } from './documentation/markdown.ts'

interface DocumentedPlan {
  readonly plan: PlanName
  readonly checks: readonly LoadedCheck[]
}

const signs = { accept: '+', refuse: '-', advice: '~' } as const

const scoreHead = ['plan', 'checks', 'generated mutants', 'raw score', 'adjusted score']

/** Checks and recorded scores of each plan, for README and documentation. */
function createScoreTable(
  plans: readonly DocumentedPlan[],
  scores: readonly RecordedScore[],
): string {
  const rows = plans.map(({ plan, checks }) => {
    const score = scores.find((each) => each.plan === plan)
    if (score === undefined) return [plan, String(checks.length), 'not measured', '', '']
    const { counted, killed, excluded } = score
    const share = (whole: number) => `${((100 * killed) / whole).toFixed(0)} %`
    const sample = `${counted} (seed \`${score.seed}\`)`
    return [plan, String(checks.length), sample, share(counted), share(counted - excluded)]
  })
  return table(scoreHead, rows)
}

/** Replaces the score table in a document. @throws TypeError if the document has none */
function replaceScoreTable(document: string, scores: string): string {
  const head = table(scoreHead, [])
  const begin = document.indexOf(head)
  const end = document.indexOf('\n\n', begin)
  if (begin < 0 || end < 0) throw new TypeError(`No table with the heading ${head}`)
  return document.slice(0, begin) + scores + document.slice(end)
}

function planSection({ plan, checks }: DocumentedPlan): string {
  const requirements = checks.map((check) => {
    const { id, expectation, level, title, rows = [], clauses = [] } = check
    const cited = clauses.map((clause) => plain(clauseText(clause)))
    const sources = [...rows, ...cited].join('; ')
    return [id, signs[expectation], level, plain(title), sources]
  })
  const head = ['check', 'expected', 'level', 'requirement', 'source']
  return `## ${plan}: ${checks.length} checks\n\n${table(head, requirements)}\n`
}

/**
 * `docs/reference/conformance-checks.md`: every check and the source of its requirement.
 */
function createChecksDocument(plans: readonly DocumentedPlan[]): string {
  const count = plans.reduce((sum, { checks }) => sum + checks.length, 0)
  return `# Conformance checks

Generated from \`conformance/plans/\` by \`node scripts/check-conformance.ts --write\`; do not edit.

${count} checks in ${plans.length} plans. \`+\`: the system must accept or do it; \`-\`: it must reject it; \`~\`: it should do it. A check of level \`spec\` is based on statements of the [profile](../profile/README.md) and may fail a system; \`final\` is based on a clause of OpenID4VCI 1.0, OpenID4VP 1.0 or a standard that they build on, \`practice\` on neither, and both only warn unless a run is \`--strict\`. The clauses are from the final texts: [coverage/clauses.tsv](../coverage/clauses.tsv).

The documentation site has a page for each check, with links to the profile: what it sends, what decides, the mutant that it must detect, and what to change in a system that fails. \`testbed conformance PLAN --list --json\` prints the same.

${plans.map(planSection).join('\n')}`
}

const root = dirname(import.meta.dirname)
const documentFile = 'docs/reference/conformance-checks.md'
/** Have the table of the plans' scores. */
const withScores = ['README.md', 'docs/concepts/conformance.md']
const read = (file: string) => readFileSync(join(root, file), 'utf8')

const rows = new Set(statements.keys())
const plans = await Promise.all(
  planNames.map(async (plan) => {
    const [checks, mutants] = await Promise.all([loadChecks(plan), loadMutants(plan)])
    return { plan, checks, mutants, mutated: new Set(mutants.map(({ check }) => check)) }
  }),
)
const clauses = new Set(readClauseTitles().keys())
const problems = findCheckGaps(plans, { rows, clauses })
const scores = createScoreTable(plans, readRecordedScores())
const documents = {
  [documentFile]: createChecksDocument(plans),
  ...Object.fromEntries(
    withScores.map((file) => [file, replaceScoreTable(read(file), scores)] as const),
  ),
}
problems.push(...keepGenerated(documents))
reportProblems(problems, 'Each conformance check has its source and its mutant.')
