import type {
  CheckResult,
  ScenarioHop,
  ScenarioResult,
  Verdict,
} from '#scenarios/harness/z-results.ts'
import { describeValues } from './describe-failure.ts'
import { labelOf } from './describe-hops.ts'

/** Names of verdicts in one or two words. */
export const verdictNames: Readonly<Record<Verdict, string>> = {
  passed: 'passed',
  failed: 'failed',
  warned: 'warning',
  inconclusive: 'inconclusive',
  interrupted: 'interrupted',
  'not-run': 'not run',
}

/** Verdicts in the notation of the conformance kit, distinguishable without colours. */
export const checkWords: Readonly<Record<Verdict, string>> = {
  passed: 'PASS',
  failed: 'FAIL',
  warned: 'WARN',
  inconclusive: 'INCONCLUSIVE',
  interrupted: 'INTERRUPTED',
  'not-run': 'NOT RUN',
}

/** The meaning of a verdict of the conformance kit for the system under test. */
export const checkMeanings: Readonly<Record<Verdict, string>> = {
  passed: 'It meets the requirement.',
  failed: 'It violates the requirement.',
  warned: 'It violates only a final standard or good practice.',
  inconclusive: 'No verdict could be observed.',
  interrupted: 'Interrupted.',
  'not-run': 'Not started.',
}

/** Verdicts of checks in the order in which a reader needs them. */
export const checkOrder = [
  'failed',
  'warned',
  'inconclusive',
  'interrupted',
  'not-run',
  'passed',
] as const satisfies readonly Verdict[]

/** The source of a check's requirement. */
const levelNames = {
  spec: 'required by the profile',
  final: 'required by the final OpenID standards or their foundations, not by the profile',
  practice: 'good practice, not required',
} as const

export interface Tally {
  readonly passed: number
  readonly failed: number
  /** Only for checks of the conformance kit. */
  readonly warned: number
  readonly inconclusive: number
  /** Interrupted, or not started. */
  readonly skipped: number
}

type Judged = Pick<ScenarioResult, 'verdict'>

const countOf = (scenarios: readonly Judged[], ...verdicts: Verdict[]) =>
  scenarios.filter(({ verdict }) => verdicts.includes(verdict)).length

/** Counts scenarios or checks by verdict. */
export function tallyResults({ scenarios }: { readonly scenarios: readonly Judged[] }): Tally {
  return {
    passed: countOf(scenarios, 'passed'),
    failed: countOf(scenarios, 'failed'),
    warned: countOf(scenarios, 'warned'),
    inconclusive: countOf(scenarios, 'inconclusive'),
    skipped: countOf(scenarios, 'interrupted', 'not-run'),
  }
}

/**
 * A tally as text: `3 passed, 1 failed, 0 skipped` of scenarios, `1 FAIL, 0 WARN, 2 INCONCLUSIVE, 3
 * PASS` of checks, with the number of unfinished ones if there are any.
 */
export function formatTally(tally: Tally, isConformance: boolean): string {
  const { passed, failed, warned, inconclusive, skipped } = tally
  if (!isConformance) return `${passed} passed, ${failed} failed, ${skipped} skipped`
  const counts = `${failed} FAIL, ${warned} WARN, ${inconclusive} INCONCLUSIVE, ${passed} PASS`
  return skipped > 0 ? `${counts}, ${skipped} not finished` : counts
}

const expectations = {
  accept: 'acceptance',
  refuse: 'rejection',
  advice: 'recommended behaviour',
} as const

/** The parts of a check, by name, in display order, without its reason. */
export function describeCheck(check: CheckResult): (readonly [name: string, text: string])[] {
  const { level, expectation, clauses, sends, decides, verdictSource } = check
  return [
    ['Level', `${level}: ${levelNames[level]}`],
    ...(clauses.length === 0 ? [] : [['Standards', clauses.join('; ')] as const]),
    ['Expected', expectations[expectation]],
    ['What is sent', sends],
    ['What decides', decides],
    ...(verdictSource === undefined ? [] : [['Source of the verdict', verdictSource] as const]),
  ]
}

const mostOthers = 12

/**
 * What to change in the system under test, and the other cases that failed, as lines; no line
 * unless it fails or warns.
 */
export function describeFixes({ verdict, check }: Pick<ScenarioResult, 'verdict' | 'check'>) {
  const isViolated = verdict === 'failed' || verdict === 'warned'
  if (!isViolated || check === undefined) return []
  const { fix, level: ofCheck, also = [] } = check
  const said = new Set<string>()
  const fixLine = (text: string | undefined) =>
    text === undefined || said.has(text) || !said.add(text) ? [] : [`Fix: ${text}`]
  const own = fixLine(fix)
  const others = also.slice(0, mostOthers).flatMap((each) => {
    const { reason, level = ofCheck, fix } = each
    const note = level === ofCheck ? '' : ` (${level})`
    const values = describeValues({ ...each, code: '', message: reason })
    return [`Also${note}: ${reason}`, ...values, ...fixLine(fix)]
  })
  const more = also.length - mostOthers
  return [...own, ...others, ...(more > 0 ? [`And ${more} more cases`] : [])]
}

const answerOf = ({ kind, status }: ScenarioHop) =>
  kind === 'command' ? `exit code ${status}` : status === 0 ? 'no response' : status

const mostExchanges = 12

/** The exchanges, one per line: `kit → verifier under test: POST /response, 400`. */
export function listExchanges({ hops }: Pick<ScenarioResult, 'hops'>): string[] {
  const lines = hops.map((hop) => `${hop.from} → ${hop.to}: ${labelOf(hop)}, ${answerOf(hop)}`)
  if (lines.length <= mostExchanges) return lines
  const more = `and ${lines.length - mostExchanges + 1} more`
  return [...lines.slice(0, mostExchanges - 1), more]
}
