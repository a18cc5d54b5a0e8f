import { z } from 'zod'
import { wrongUsage } from '#scenarios/errors.ts'
import type { Results, Verdict } from '#scenarios/harness/z-results.ts'
import { tallyResults } from '#scenarios/reports/verdicts.ts'
import { planNames } from '../check.ts'
import { type ResultsSummary, sha256Of, summarizeResults, zSignedResult } from './signed-result.ts'

const { shape } = zSignedResult
const { shape: zCheckShape } = shape.checks.element

/** A run of a plan, with the name and SHA-256 (hex) of its results next to the statement. */
const zRun = z.object({
  file: z.string().regex(/^results-[a-z]+(-[a-z]+)*-\d+\.json$/),
  sha256: shape.results_sha256,
  started_at: shape.started_at,
  target: shape.target,
  kit: shape.kit,
  interrupted: shape.interrupted,
  /** Regular expression that selected the checks; omitted if the whole plan was selected. */
  selection: shape.selection,
})

const zDecision = z.object({
  verdict: zCheckShape.verdict,
  reason: z.string(),
  /** The file of the run. */
  run: z.string(),
})

const zStatementCheck = zDecision.extend({
  id: z.string(),
  level: zCheckShape.level,
  title: z.string(),
  /** The target gave different answers to the same request within a run, or in different runs. */
  unstable: z.literal(true).optional(),
  /** Each decision, oldest first; only if runs contradict each other. */
  contradiction: z.array(zDecision).optional(),
})

const zPlan = z.object({
  plan: z.string(),
  strict: z.boolean(),
  /** A run selected every check of the plan. */
  whole: z.boolean(),
  counts: shape.counts,
  /** Oldest first. */
  runs: z.array(zRun).min(1),
  checks: z.array(zStatementCheck),
})

/** What is known about one version of a product from several runs: the file `statement.json`. */
export const zStatement = z.object({
  schema_version: z.literal(1),
  product: z.object({
    name: z.string().min(1),
    version: z.string().min(1),
    vendor: z.string().min(1).optional(),
  }),
  plans: z.array(zPlan).min(1),
})

export type Statement = z.infer<typeof zStatement>
export type StatementPlan = Statement['plans'][number]
export type StatementRun = StatementPlan['runs'][number]
type StatementCheck = StatementPlan['checks'][number]

export interface MergeOptions {
  readonly product: Statement['product']
  /** Each with the bytes of its `results.json`. */
  readonly runs: readonly RunFile[]
}

export interface RunFile {
  readonly results: Results
  readonly resultsJson: Uint8Array
}

/** A run under the name that its results have next to the statement. */
interface NamedRun extends RunFile {
  readonly summary: ResultsSummary
  readonly listed: StatementRun
}

/**
 * Merges runs of conformance plans into one statement. If several runs decided a check, the
 * newest decision counts. If their decisions differ, the worst counts, and the check is unstable.
 * The order of the given runs does not matter.
 * @throws TestbedError `invalid_option` if a run cannot be part of a statement
 */
export function createStatement({ product, runs }: MergeOptions): Statement {
  const named = nameRuns(runs)
  const plans = [...Map.groupBy(named, ({ summary }) => summary.plan)]
  return {
    schema_version: 1,
    product,
    plans: plans
      .sort(([one], [other]) => positionOf(one) - positionOf(other))
      .map(([plan, ofPlan]) => mergePlan(plan, ofPlan)),
  }
}

const order: readonly string[] = planNames

const positionOf = (plan: string) => order.indexOf(plan)

/** The runs, oldest first, each with its file name. */
function nameRuns(runs: readonly RunFile[]): NamedRun[] {
  const summarized = runs.map((run) => {
    const summary = summarizeResults(run.results)
    if (summary === undefined || positionOf(summary.plan) === -1) {
      throw wrongUsage('Only results of testbed conformance can be merged into a statement.')
    }
    return { ...run, summary, sha256: sha256Of(run.resultsJson) }
  })
  if (new Set(summarized.map(({ sha256 }) => sha256)).size < runs.length) {
    throw wrongUsage('The same results.json was specified twice.')
  }
  const ages = summarized.sort(
    (one, other) =>
      Date.parse(one.summary.started_at) - Date.parse(other.summary.started_at) ||
      (one.sha256 < other.sha256 ? -1 : 1),
  )
  const numbers = new Map<string, number>()
  return ages.map(({ sha256, ...run }) => {
    const { plan, started_at, target, kit, interrupted, selection } = run.summary
    const number = (numbers.get(plan) ?? 0) + 1
    numbers.set(plan, number)
    const file = `results-${plan}-${number}.json`
    const chosen = selection === undefined ? {} : { selection }
    return { ...run, listed: { file, sha256, started_at, target, kit, interrupted, ...chosen } }
  })
}

function mergePlan(plan: string, runs: readonly NamedRun[]): StatementPlan {
  const [{ strict } = { strict: false }] = runs.map(({ summary }) => summary)
  if (runs.some(({ summary }) => summary.strict !== strict)) {
    throw wrongUsage(
      `Only some runs of the ${plan} plan used --strict, so their verdicts differ.`,
      ['Repeat the runs with the same option.'],
    )
  }
  const observations = runs.flatMap(observe)
  const byId = new Intl.Collator('en', { numeric: true })
  const checks = [...Map.groupBy(observations, ({ id }) => id).values()]
    .flatMap(mergeCheck)
    .sort((one, other) => byId.compare(one.id, other.id))
  return {
    plan,
    strict,
    whole: runs.some(({ results }) => isWhole(results)),
    counts: tallyResults({ scenarios: checks }),
    runs: runs.map(({ listed }) => listed),
    checks,
  }
}

const isWhole = ({ pattern, shard }: Results) => pattern === undefined && shard === undefined

/** What one run found in each of its checks. */
const observe = ({ results, listed }: NamedRun): StatementCheck[] =>
  results.scenarios.flatMap(({ check, title, verdict }) => {
    if (check === undefined) return []
    const { id, level, reason, unstable } = check
    const found = { id, level, title, verdict, reason, run: listed.file }
    return [unstable === true ? { ...found, unstable } : found]
  })

/** The verdicts that decide a check, the worst first. */
const decisions = ['failed', 'warned', 'passed'] as const satisfies readonly Verdict[]

/** What counts of several observations of one check, oldest first; empty without observations. */
function mergeCheck(found: readonly StatementCheck[]): StatementCheck[] {
  const decided = found.filter(({ verdict }) => decisions.some((each) => each === verdict))
  const worst = decisions.find((each) => decided.some(({ verdict }) => verdict === each))
  const counting = decided.filter(({ verdict }) => verdict === worst)
  // If no run decided it, the newest reason is the one that still applies.
  const last = (counting.length > 0 ? counting : found).at(-1)
  if (last === undefined) return []
  const isContradictory = counting.length < decided.length
  const isUnstable = isContradictory || decided.some(({ unstable }) => unstable)
  const contradiction = decided.map(({ verdict, reason, run }) => ({ verdict, reason, run }))
  return [
    {
      ...last,
      ...(isUnstable && { unstable: true }),
      ...(isContradictory && { contradiction }),
    },
  ]
}

const runsOf = ({ plans }: Statement) => plans.flatMap(({ runs }) => runs)

/** The results of each run, under the name that the statement gives their file. */
export function nameResults(
  statement: Statement,
  runs: readonly RunFile[],
): (readonly [file: string, resultsJson: Uint8Array])[] {
  const bytes = new Map(runs.map(({ resultsJson }) => [sha256Of(resultsJson), resultsJson]))
  return runsOf(statement).flatMap(({ file, sha256 }) => {
    const found = bytes.get(sha256)
    return found === undefined ? [] : [[file, found] as const]
  })
}

/** The names of the tested targets, each once. */
export const listTargets = (statement: Statement): string[] => [
  ...new Set(runsOf(statement).map(({ target }) => target.name)),
]

/** The versions of the kit with their commits, each once: `0.7.0, commit e50ca8d`. */
export const listKits = (statement: Statement): string[] => [
  ...new Set(runsOf(statement).map(({ kit }) => describeKit(kit))),
]

/** A version of the kit with its commit, if known. */
export const describeKit = ({ version, commit }: StatementRun['kit']): string =>
  commit === undefined ? version : `${version}, commit ${commit}`

/** The time at which the newest run of a statement began, in Unix seconds. */
export const newestRunOf = (statement: Statement): number =>
  Math.max(...runsOf(statement).map(({ started_at }) => Date.parse(started_at))) / 1000
