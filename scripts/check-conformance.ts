// Compares the conformance checks with the statements of the profile, the clauses of standards and
// their mutants, and compares docs/reference/conformance-checks.md and the tables of scores with all of
// them. With --write it updates them.

import { readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { planNames } from '#conformance/kit/check.ts'
import { readClauseTitles } from '#conformance/kit/describe-check.ts'
import { loadChecks } from '#conformance/kit/load-checks.ts'
import { statements } from '#core/profile/statements.ts'
import { readRecordedScores } from '#test/conformance/mutation/generated/score.ts'
import { loadMutants } from '#test/conformance/mutation/install-mutants.ts'
import { keepGenerated, reportProblems } from './checks/report-problems.ts'
import {
  createChecksDocument,
  createScoreTable,
  replaceScoreTable,
} from './conformance/create-checks-document.ts'
import { findCheckGaps } from './conformance/find-check-gaps.ts'

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
