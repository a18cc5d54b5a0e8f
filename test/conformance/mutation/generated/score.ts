import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type PlanName, planNames } from '#conformance/kit/check.ts'
import { root } from '#test/support/repository.ts'
import type { ExcludedMutant } from './excluded-mutants.ts'
import type { GeneratedOutcome, GeneratedResult } from './run-generated.ts'

/** At most this share of the counted mutants of a plan may be excluded. */
const mostExcluded = 0.15

interface Score {
  /** Mutants that count; with the others the part does not start, or no check executes them. */
  readonly counted: number
  readonly killed: number
  /** At most 15 % of those that count, however many more have a reason. */
  readonly excluded: number
  /** Killed mutants as a share of all. */
  readonly raw: number
  /** Killed mutants as a share of those that are not excluded. */
  readonly adjusted: number
  readonly isExcludedTooOften: boolean
}

/** Counts the outcomes of a plan. An excluded mutant that was killed counts as killed. */
export function scoreOf(
  outcomes: readonly GeneratedOutcome[],
  exclusions: readonly ExcludedMutant[],
): Score {
  const ids = new Set(exclusions.map(({ id }) => id))
  const counted = outcomes.filter(isCounted)
  const killed = counted.filter(isKilled).length
  const listed = counted.filter((outcome) => !isKilled(outcome) && ids.has(outcome.id)).length
  const excluded = Math.min(listed, Math.floor(mostExcluded * counted.length))
  return {
    counted: counted.length,
    killed,
    excluded,
    raw: share(killed, counted.length),
    adjusted: share(killed, counted.length - excluded),
    isExcludedTooOften: listed > excluded,
  }
}

const isKilled = ({ verdict }: GeneratedOutcome) => verdict === 'killed'
const isCounted = ({ verdict }: GeneratedOutcome) =>
  verdict === 'killed' || verdict === 'undecided' || verdict === 'survived'
const share = (part: number, whole: number) => (whole === 0 ? 1 : part / whole)
const percent = (value: number) => `${(100 * value).toFixed(1)} %`

/** A mutant that no check detected: where it is, what changed, and the checks that execute it. */
function formatSurvivor(outcome: GeneratedOutcome): string {
  const { id, verdict, file, line, within, operator, isAtLoad, executedBy, check } = outcome
  const place = within === '' ? '' : ` in ${within}`
  return [
    `${verdict.padEnd(9)} ${id}  ${file}:${line}  ${operator}${place}`,
    ...differenceOf(outcome),
    isAtLoad
      ? '          evaluated when the module is loaded; all checks were run'
      : `          executed by ${executedBy.join(' ') || 'a contract; all checks were run'}`,
    ...(check ? [`          ${check}: ${outcome.reason}`] : []),
  ].join('\n')
}

/** The first lines that the original and the replacement do not share, at most two of each. */
function differenceOf({ original, replacement }: GeneratedOutcome): string[] {
  const short = (line: string) => (line.length > 150 ? `${line.slice(0, 149)}…` : line)
  const linesOf = (text: string) => text.split('\n').map((line) => line.trim())
  const key = (line: string) => line.replaceAll(/[\s;,]|"|'/g, '')
  const [old, changed] = [linesOf(original), linesOf(replacement)]
  const isShort = old.length === 1 && changed.length === 1
  const without = (lines: string[], others: string[]) => {
    const known = new Set(others.map(key))
    const own = isShort ? lines : lines.filter((line) => !known.has(key(line)))
    return own.length > 2 ? [...own.slice(0, 2), '…'] : own
  }
  const removed = without(old, changed)
  return [
    ...removed.map((line) => `        - ${short(line)}`),
    ...without(changed, old).map((line) => `        + ${short(line)}`),
  ]
}

/** The survivors of a plan without the excluded ones, its notReached files, and its score. */
export function formatResult(
  { plan, seed, generated, reachable, notReached, outcomes }: GeneratedResult,
  exclusions: readonly ExcludedMutant[],
): string {
  const ids = new Set(exclusions.map(({ id }) => id))
  const open = outcomes.filter(
    (outcome) => isCounted(outcome) && !isKilled(outcome) && !ids.has(outcome.id),
  )
  open.sort((one, other) => one.file.localeCompare(other.file) || one.line - other.line)
  const { counted, killed, excluded, raw, adjusted, isExcludedTooOften } = scoreOf(
    outcomes,
    exclusions,
  )
  const count = (verdict: GeneratedOutcome['verdict']) =>
    outcomes.filter((outcome) => outcome.verdict === verdict).length
  const atLoad = outcomes.filter(({ isAtLoad }) => isAtLoad).length
  const gaps = Object.entries(notReached).sort(([, one], [, other]) => other - one)
  const hidden = gaps.reduce((all, [, number]) => all + number, 0)
  return [
    ...open.map((outcome) => `${formatSurvivor(outcome)}\n`),
    `${plan}, seed ${seed}`,
    `  ${generated} mutants, ${reachable} reachable; no check executes the other ${hidden}:`,
    ...gaps.slice(0, 10).map(([file, number]) => `    ${String(number).padStart(5)}  ${file}`),
    ...(gaps.length > 10
      ? [`           and ${gaps.length - 10} other files (--json lists all)`]
      : []),
    `  ${outcomes.length} run, of which ${atLoad} are evaluated when a module is loaded`,
    `  ${count('not-started')} do not start and ${count('not-executed')} were not executed; they do not count`,
    `  ${killed} killed, ${count('survived')} survived, ${count('undecided')} undecided`,
    `  raw score ${percent(raw)} (${killed} of ${counted})`,
    `  adjusted score ${percent(adjusted)} (${killed} of ${counted - excluded}; ${excluded} excluded)`,
    ...(isExcludedTooOften ? [`  more than ${percent(mostExcluded)} are excluded`] : []),
  ].join('\n')
}

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
