import type {
  CheckResult,
  Results,
  ScenarioHop,
  ScenarioResult,
  Verdict,
} from '#scenarios/harness/z-results.ts'
import { labelOf } from './describe-hops.ts'

/** What verdicts are called where there is no room for more than a word. */
export const verdictNames: Readonly<Record<Verdict, string>> = {
  passed: 'passed',
  failed: 'failed',
  warned: 'warning',
  inconclusive: 'inconclusive',
  interrupted: 'interrupted',
  'not-run': 'not run',
}

/** As the conformance kit writes verdicts, so that they are told apart without colours. */
export const checkWords: Readonly<Record<Verdict, string>> = {
  passed: 'PASS',
  failed: 'FAIL',
  warned: 'WARN',
  inconclusive: 'INCONCLUSIVE',
  interrupted: 'INTERRUPTED',
  'not-run': 'NOT RUN',
}

/** What a verdict of the conformance kit says of the system under test. */
export const checkMeanings: Readonly<Record<Verdict, string>> = {
  passed: 'It does what is demanded.',
  failed: 'It breaks what is demanded.',
  warned: 'It breaks what only a final standard or good practice asks for.',
  inconclusive: 'Nothing was observed that shows either.',
  interrupted: 'Cut off.',
  'not-run': 'Not begun.',
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

/** Who demands what a check is about. */
const levelNames = {
  spec: 'demanded by the profile',
  final: 'demanded by the final OpenID standards or what they build on, not by the profile',
  practice: 'good practice, which nobody demands',
} as const

export interface Tally {
  readonly passed: number
  readonly failed: number
  /** Checks of the conformance kit alone. */
  readonly warned: number
  readonly inconclusive: number
  /** Cut off, or not begun. */
  readonly skipped: number
}

const countOf = (scenarios: readonly ScenarioResult[], ...verdicts: Verdict[]) =>
  scenarios.filter(({ verdict }) => verdicts.includes(verdict)).length

/** Counts scenarios by verdict. */
export function tallyResults({ scenarios }: Pick<Results, 'scenarios'>): Tally {
  return {
    passed: countOf(scenarios, 'passed'),
    failed: countOf(scenarios, 'failed'),
    warned: countOf(scenarios, 'warned'),
    inconclusive: countOf(scenarios, 'inconclusive'),
    skipped: countOf(scenarios, 'interrupted', 'not-run'),
  }
}

/**
 * A tally in a line: `3 passed, 1 failed, 0 skipped` of scenarios, `1 FAIL, 0 WARN, 2 INCONCLUSIVE,
 * 3 PASS` of checks, with what was not finished where there is some.
 */
export function formatTally(tally: Tally, isConformance: boolean): string {
  const { passed, failed, warned, inconclusive, skipped } = tally
  if (!isConformance) return `${passed} passed, ${failed} failed, ${skipped} skipped`
  const counts = `${failed} FAIL, ${warned} WARN, ${inconclusive} INCONCLUSIVE, ${passed} PASS`
  return skipped > 0 ? `${counts}, ${skipped} not finished` : counts
}

const expectations = {
  accept: 'that it accepts',
  refuse: 'that it refuses',
  advice: 'what it is well advised to do',
} as const

/** What a check is made of, by name, in the order in which it is told. Its reason is not among it. */
export function describeCheck(check: CheckResult): (readonly [name: string, text: string])[] {
  const { level, expectation, clauses, sends, decides, verdictSource } = check
  return [
    ['Level', `${level}: ${levelNames[level]}`],
    ...(clauses.length === 0 ? [] : [['Standards', clauses.join('; ')] as const]),
    ['Expected', expectations[expectation]],
    ['What is sent', sends],
    ['What decides', decides],
    ...(verdictSource === undefined ? [] : [['Verdict seen in', verdictSource] as const]),
  ]
}

const answerOf = ({ kind, status }: ScenarioHop) =>
  kind === 'command' ? `exit code ${status}` : status === 0 ? 'no answer' : status

const mostExchanges = 12

/** What was exchanged, one a line: `kit → verifier under test: POST /response, 400`. */
export function listExchanges({ hops }: Pick<ScenarioResult, 'hops'>): string[] {
  const lines = hops.map((hop) => `${hop.from} → ${hop.to}: ${labelOf(hop)}, ${answerOf(hop)}`)
  if (lines.length <= mostExchanges) return lines
  const more = `and ${lines.length - mostExchanges + 1} more`
  return [...lines.slice(0, mostExchanges - 1), more]
}
