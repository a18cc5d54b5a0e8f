import { isDeepStrictEqual } from 'node:util'
import type { Results, ScenarioResult, Verdict } from '#scenarios/harness/z-results.ts'
import { selectionOf } from './selection-of.ts'

/**
 * What became of a scenario between two runs: `newly-failing` ended otherwise before, `mended` failed
 * before and passes now, `failing` failed in both; `slower` passed in both but takes far longer;
 * `not-finished` ended before and did not end now; `new` and `gone` stand in one run only. Of checks
 * besides: `newly-warned` is a warning now and was none, `undecided` is inconclusive now and was
 * decided, `decided` passes now and was inconclusive.
 */
export const changeKinds = [
  'newly-failing',
  'newly-warned',
  'undecided',
  'mended',
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
  /** For `slower`: title and milliseconds of the step that took most of the time more. */
  readonly step?: { readonly title: string; readonly milliseconds: number }
}

interface Outcome {
  readonly verdict: Verdict
  readonly durationMilliseconds: number
}

export interface Difference {
  readonly before: RunFacts
  readonly after: RunFacts
  /** The same scenarios were asked for; otherwise `new` and `gone` say little. */
  readonly isSameSelection: boolean
  readonly changes: readonly Change[]
}

interface RunFacts {
  readonly startedAt: string
  readonly durationMilliseconds: number
  readonly scenarios: number
}

// The least that counts; a noisy machine raises it.
const slowerFactor = 2
const slowerMilliseconds = 500
const enoughToTell = 5

const outcomeOf = ({ verdict, durationMilliseconds }: ScenarioResult): Outcome => ({
  verdict,
  durationMilliseconds,
})

type EndVerdict = Exclude<Verdict, 'interrupted' | 'not-run'>

/** What it is called that a verdict, the outer one, became another; what is not there is no change. */
const kindsOfVerdicts: Readonly<
  Record<EndVerdict, Readonly<Partial<Record<EndVerdict, ChangeKind>>>>
> = {
  passed: { failed: 'newly-failing', warned: 'newly-warned', inconclusive: 'undecided' },
  failed: {
    passed: 'mended',
    failed: 'failing',
    warned: 'newly-warned',
    inconclusive: 'undecided',
  },
  warned: { passed: 'mended', failed: 'newly-failing', inconclusive: 'undecided' },
  inconclusive: { passed: 'decided', failed: 'newly-failing', warned: 'newly-warned' },
}

const hasEnded = (verdict: Verdict): verdict is EndVerdict =>
  verdict !== 'interrupted' && verdict !== 'not-run'

interface Pace {
  /** By how much everything takes longer. */
  readonly common: number
  /** Beyond that, what only a scenario that has changed takes longer. */
  readonly beyond: number
}

/**
 * How the times of two runs compare where nothing has changed: the median of how much longer
 * scenarios take, and three times by how much they stray from it (one standard deviation, on a
 * scale of factors, is where 84 of 100 lie below).
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
 * Compares two runs, scenario by scenario, the most urgent changes first. Slower is what takes at
 * least twice as long, and half a second more, after what slowed all of them is taken out; more than
 * that where times stray much anyway.
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

/** Whether something fails now that ended otherwise before. */
export const hasNewFailures = ({ changes }: Difference): boolean =>
  changes.some(({ kind }) => kind === 'newly-failing')
