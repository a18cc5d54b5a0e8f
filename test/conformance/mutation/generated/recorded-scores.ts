import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type PlanName, planNames } from '#conformance/kit/check.ts'
import { root } from './instrument-code.ts'

/** What a plan reached with a sample of generated mutants. */
export interface RecordedScore {
  readonly plan: PlanName
  /** Day of the run, UTC: `2026-11-23`. */
  readonly date: string
  readonly seed: string
  /** Mutants of the sample that count, those of them that were killed, and those excluded. */
  readonly counted: number
  readonly killed: number
  readonly excluded: number
}

const file = join(root, 'docs', 'coverage', 'generated-mutants.tsv')
const columns = ['plan', 'date', 'seed', 'counted', 'killed', 'excluded'] as const

/** The newest recorded score of each plan. */
export function readRecordedScores(): RecordedScore[] {
  if (!existsSync(file)) return []
  const [, ...rows] = readFileSync(file, 'utf8').trimEnd().split('\n')
  return rows.map((row) => {
    const [plan = '', date = '', seed = '', ...counts] = row.split('\t')
    const [counted = 0, killed = 0, excluded = 0] = counts.map(Number)
    return { plan: plan as PlanName, date, seed, counted, killed, excluded }
  })
}

/** Replaces the score of a plan. */
export function recordScore(score: RecordedScore): void {
  const scores = readRecordedScores().filter(({ plan }) => plan !== score.plan)
  const sorted = [...scores, score].sort(
    (one, other) => planNames.indexOf(one.plan) - planNames.indexOf(other.plan),
  )
  const rows = sorted.map((each) => columns.map((column) => each[column]).join('\t'))
  writeFileSync(file, `${[columns.join('\t'), ...rows].join('\n')}\n`)
}
