import { isDeepStrictEqual } from 'node:util'
import type { Results, ScenarioResult, Verdict } from '#scenarios/harness/z-results.ts'
import { formatDuration } from './formatting.ts'

/**
 * How a scenario changed between two runs: `newly-failing` ended otherwise before, `fixed` failed
 * before and passes now, `failing` failed in both; `slower` passed in both but takes far longer;
 * `not-finished` ended before and did not end now; `new` and `gone` are in one run only. Additional
 * kinds for checks: `newly-warned` is now a warning, `undecided` is now inconclusive and was
 * decided, `decided` passes now and was inconclusive.
 */
const changeKinds = [
  'newly-failing',
  'newly-warned',
  'undecided',
  'fixed',
  'decided',
  'failing',
  'slower',
  'not-finished',
  'new',
  'gone',
] as const

export type ChangeKind = (typeof changeKinds)[number]

export interface Change {
  readonly kind: ChangeKind
  readonly id: string
  readonly title: string
  readonly before?: Outcome
  readonly after?: Outcome
  /** For `slower`: title and milliseconds of the step with most of the additional time. */
  readonly step?: { readonly title: string; readonly milliseconds: number }
}

interface Outcome {
  readonly verdict: Verdict
  readonly durationMilliseconds: number
}

export interface Difference {
  readonly before: RunFacts
  readonly after: RunFacts
  /** Both runs had the same selection; otherwise `new` and `gone` mean little. */
  readonly isSameSelection: boolean
  readonly changes: readonly Change[]
}

interface RunFacts {
  readonly startedAt: string
  readonly durationMilliseconds: number
  readonly scenarios: number
}

// The minimum that counts; a noisy machine raises it.
const slowerFactor = 2

const slowerMilliseconds = 500

const enoughToTell = 5

const outcomeOf = ({ verdict, durationMilliseconds }: ScenarioResult): Outcome => ({
  verdict,
  durationMilliseconds,
})

type EndVerdict = Exclude<Verdict, 'interrupted' | 'not-run'>

/**
 * The name of the change from the outer verdict to the inner one; other combinations are not a
 * change.
 */
const kindsOfVerdicts: Readonly<
  Record<EndVerdict, Readonly<Partial<Record<EndVerdict, ChangeKind>>>>
> = {
  passed: { failed: 'newly-failing', warned: 'newly-warned', inconclusive: 'undecided' },
  failed: {
    passed: 'fixed',
    failed: 'failing',
    warned: 'newly-warned',
    inconclusive: 'undecided',
  },
  warned: { passed: 'fixed', failed: 'newly-failing', inconclusive: 'undecided' },
  inconclusive: { passed: 'decided', failed: 'newly-failing', warned: 'newly-warned' },
}

const hasEnded = (verdict: Verdict): verdict is EndVerdict =>
  verdict !== 'interrupted' && verdict !== 'not-run'

interface Pace {
  /** The common factor of all durations. */
  readonly common: number
  /** The factor above which only a changed scenario takes longer. */
  readonly beyond: number
}

/**
 * How the times of two runs compare without changes: the median factor, and three times the
 * deviation from it (one standard deviation, on a logarithmic scale, is the point below which 84 %
 * of the factors are).
 */
function comparePace(pairs: readonly (readonly [ScenarioResult, ScenarioResult])[]): Pace {
  const factors = pairs
    .filter(([before, after]) => before.verdict === 'passed' && after.verdict === 'passed')
    .map(([before, after]) => after.durationMilliseconds / Math.max(before.durationMilliseconds, 1))
    .sort((one, other) => one - other)
  if (factors.length < enoughToTell) return { common: 1, beyond: slowerFactor }
  const at = (part: number) => factors[Math.floor(part * (factors.length - 1))] ?? 1
  const median = at(0.5)
  const deviation = at(0.84) / Math.max(median, Number.EPSILON)
  return { common: Math.max(1, median), beyond: Math.max(slowerFactor, deviation ** 3) }
}

function slowestGrowth(before: ScenarioResult, after: ScenarioResult): Change['step'] {
  const growths = after.steps.map(({ title, durationMilliseconds }) => {
    const earlier = before.steps.find((step) => step.title === title)
    return { title, milliseconds: durationMilliseconds - (earlier?.durationMilliseconds ?? 0) }
  })
  return growths.sort((one, other) => other.milliseconds - one.milliseconds)[0]
}

function kindOf(
  before: ScenarioResult,
  after: ScenarioResult,
  { common, beyond }: Pace,
): ChangeKind | undefined {
  const [was, is] = [before.verdict, after.verdict]
  if (!hasEnded(is)) return hasEnded(was) ? 'not-finished' : undefined
  if (!hasEnded(was)) return is === 'failed' ? 'new' : undefined
  if (is !== 'passed' || was !== 'passed') return kindsOfVerdicts[was][is]
  const expected = before.durationMilliseconds * common
  const isSlower =
    after.durationMilliseconds > expected * beyond &&
    after.durationMilliseconds - expected > slowerMilliseconds
  return isSlower ? 'slower' : undefined
}

const factsOf = ({ startedAt, durationMilliseconds, scenarios }: Results): RunFacts => ({
  startedAt,
  durationMilliseconds,
  scenarios: scenarios.length,
})

/**
 * Compares two runs, scenario by scenario, with the most urgent changes first. A scenario is slower
 * if it takes at least twice as long and half a second more, after removing what slowed all of
 * them; the bound is higher if times vary anyway.
 */
export function createDifference(before: Results, after: Results): Difference {
  const earlier = new Map(before.scenarios.map((scenario) => [scenario.id, scenario]))
  const later = new Map(after.scenarios.map((scenario) => [scenario.id, scenario]))
  const pairs = after.scenarios.flatMap((scenario) => {
    const previous = earlier.get(scenario.id)
    return previous === undefined ? [] : [[previous, scenario] as const]
  })
  const pace = comparePace(pairs)
  const changed = pairs.flatMap(([previous, scenario]): Change[] => {
    const kind = kindOf(previous, scenario, pace)
    if (kind === undefined) return []
    const { id, title } = scenario
    const step = kind === 'slower' ? slowestGrowth(previous, scenario) : undefined
    const outcomes = { before: outcomeOf(previous), after: outcomeOf(scenario) }
    return [{ kind, id, title, ...outcomes, ...(step && { step }) }]
  })
  const added = after.scenarios
    .filter(({ id }) => !earlier.has(id))
    .map((one) => ({ kind: 'new' as const, id: one.id, title: one.title, after: outcomeOf(one) }))
  const gone = before.scenarios
    .filter(({ id }) => !later.has(id))
    .map((one) => ({ kind: 'gone' as const, id: one.id, title: one.title, before: outcomeOf(one) }))
  const rank = ({ kind }: Change) => changeKinds.indexOf(kind)
  return {
    before: factsOf(before),
    after: factsOf(after),
    isSameSelection: isDeepStrictEqual(selectionOf(before), selectionOf(after)),
    changes: [...changed, ...added, ...gone].sort((one, other) => rank(one) - rank(other)),
  }
}

/** Whether a scenario fails now that ended otherwise before. */
export const hasNewFailures = ({ changes }: Difference): boolean =>
  changes.some(({ kind }) => kind === 'newly-failing')

/** The names of the kinds of change, in the order of their urgency. */
export const changeNames: Readonly<Record<ChangeKind, string>> = {
  'newly-failing': 'newly failing',
  'newly-warned': 'now a warning',
  undecided: 'inconclusive now',
  fixed: 'fixed',
  decided: 'decided now',
  failing: 'still failing',
  slower: 'slower',
  'not-finished': 'not finished now',
  new: 'new',
  gone: 'gone',
}

/** Details of a change; empty if the kind is sufficient. */
export function describeChange({ kind, before, after, step }: Change): string {
  if (kind === 'new') return after?.verdict === 'failed' ? 'fails' : ''
  if (kind !== 'slower' || before === undefined || after === undefined) return ''
  const [earlier, later] = [before, after].map((each) => formatDuration(each.durationMilliseconds))
  const most = step === undefined ? '' : `, mostly in “${step.title}”`
  return `${later}, was ${earlier}${most}`
}

/** Counts the changes of each kind: `1 newly failing, 2 slower`. */
export function countChanges({ changes }: Difference): string {
  const counts = changeKinds.flatMap((kind) => {
    const count = changes.filter((change) => change.kind === kind).length
    return count === 0 ? [] : [`${count} ${changeNames[kind]}`]
  })
  return counts.length === 0 ? 'nothing changed' : counts.join(', ')
}

export interface ChangeGroup {
  readonly kind: ChangeKind
  readonly changes: readonly Change[]
  /** How many of this kind are omitted. */
  readonly more: number
}

const mostAddedOrGone = 20

/**
 * Changes by kind, the most urgent first. Only the first new or gone scenarios are listed, because
 * whole suites may be added or removed.
 */
export function groupChanges({ changes }: Difference): ChangeGroup[] {
  return changeKinds.flatMap((kind) => {
    const these = changes.filter((change) => change.kind === kind)
    if (these.length === 0) return []
    const isLong = kind === 'new' || kind === 'gone'
    const shown = isLong ? these.slice(0, mostAddedOrGone) : these
    return [{ kind, changes: shown, more: these.length - shown.length }]
  })
}

/** Shown if the two runs had different selections. */
export const otherSelection = 'The two runs had different patterns or shards.'

/** The selection of a run, if it is not everything. */
export interface Selection {
  readonly pattern?: string
  readonly shard?: string
}

/** The selection of a run; empty if pattern and shard select everything. */
export function selectionOf({ pattern, shard }: Pick<Results, 'pattern' | 'shard'>): Selection {
  return {
    ...(pattern ? { pattern } : {}),
    ...(shard === undefined || shard === '1/1' ? {} : { shard }),
  }
}
