import { type SafeHtml, html as xml } from '#core/html/html.ts'
import {
  type CheckResult,
  type Conformance,
  isBlocked,
  isKitFault,
  type Results,
  type ScenarioResult,
} from '#scenarios/harness/z-results.ts'
import { selectionOf } from './create-difference.ts'
import { describeFailure, formatDiff, listRefusals, locateFailure } from './describe-failure.ts'
import {
  checkWords,
  describeCheck,
  describeFixes,
  listExchanges,
  tallyResults,
} from './verdicts.ts'

export interface JunitOptions {
  /** Paths of image files by the scenario's id, relative to the JUnit file's reader. */
  readonly attachments?: ReadonlyMap<string, readonly string[]>
}

const secondsOf = (milliseconds: number) => (milliseconds / 1000).toFixed(3)

/** The source of a check: the quoted rules, and how it is decided. */
const describeSource = (check: CheckResult) => [
  ...check.rules.map(({ id, text }) => `Rule ${id}: ${text}`),
  ...describeCheck(check).map(([name, text]) => `${name}: ${text}`),
]

function explain(result: ScenarioResult): string {
  const { failure, repeat, check } = result
  if (failure === undefined) return ''
  const { message, step, stack } = failure
  const difference = describeFailure(failure)
  // GitLab shows only this text, without the message attribute.
  return [
    message,
    ...(difference === undefined ? [] : ['- expected + found', formatDiff(difference), '']),
    ...describeFixes(result),
    ...(check === undefined ? [] : describeSource(check)),
    ...(step === undefined ? [] : [`Step: ${step}`]),
    ...listRefusals(result).map((refusal) => `Rejected: ${refusal}`),
    `Repeat: ${repeat}`,
    ...(stack === undefined ? [] : ['', stack]),
  ].join('\n')
}

function outcomeOf(result: ScenarioResult): SafeHtml | undefined {
  const { verdict, failure, check, skipReason = 'not run' } = result
  if (verdict === 'not-run') return xml`<skipped message="${skipReason}">${skipReason}</skipped>`
  if (verdict === 'interrupted') return xml`<skipped message="interrupted">interrupted</skipped>`
  if (isKitFault(result)) {
    const message = 'Internal error in the conformance kit.'
    return xml`<error type="kit_error" message="${message}">${explain(result)}</error>`
  }
  if (verdict === 'inconclusive') {
    const message = `inconclusive: ${check?.reason}`
    return xml`<skipped message="${message}">${message}</skipped>`
  }
  // JUnit has no warnings: they are in the output of the case.
  if (failure === undefined || verdict === 'warned') return undefined
  return xml`<failure type="${failure.code}" message="${failure.message}">${explain(result)}</failure>`
}

function storyOf(result: ScenarioResult, attachments: readonly string[]): string {
  const { steps, hops, references, repeat, category, verdict, check } = result
  return [
    ...(check === undefined ? [] : [`${checkWords[verdict]}: ${check.reason}`]),
    ...(verdict === 'warned' ? [explain(result)] : []),
    ...steps.map(
      ({ title, verdict, durationMilliseconds }) =>
        `${verdict === 'passed' ? 'ok  ' : 'FAIL'} ${secondsOf(durationMilliseconds)} s  ${title}`,
    ),
    '',
    `Category: ${category}`,
    `Exchanges: ${hops.length}`,
    ...(check === undefined ? [] : listExchanges(result).map((line) => `  ${line}`)),
    ...references.map(({ document, section }) => `Reference: ${document}, ${section}`),
    `Repeat: ${repeat}`,
    // Jenkins requires each on a separate line; GitLab uses the first, of failed cases.
    ...attachments.map((path) => `[[ATTACHMENT|${path}]]`),
  ].join('\n')
}

function testCase(result: ScenarioResult, attachments: readonly string[]): SafeHtml {
  const { suite, name, algorithm, title, durationMilliseconds, check } = result
  const { file, line } = locateFailure(result)
  // The source of a check is not in the repository under test, where CI servers would look for it.
  const isShown = !check && file !== undefined
  const place = isShown && xml` file="${file}"${line !== undefined && xml` line="${line}"`}`
  const [className, caseName] = check
    ? [`conformance.${suite}`, `${check.id}: ${title}`]
    : [`scenarios.${suite}`, `${name} (${algorithm}): ${title}`]
  return xml`
    <testcase classname="${className}" name="${caseName}"${place} time="${secondsOf(durationMilliseconds)}">
      ${outcomeOf(result)}
      <system-out>${storyOf(result, attachments)}</system-out>
    </testcase>`
}

function targetProperties({ plan, target, strict, kitVersion, commit }: Conformance) {
  const addresses = Object.entries(target.addresses).map(
    ([part, address]) => [`address of the ${part}`, address] as const,
  )
  return {
    plan,
    target: target.name,
    ...Object.fromEntries(addresses),
    strict: String(strict),
    'kit version': kitVersion,
    commit,
  }
}

function propertiesOf(results: Results): SafeHtml {
  const { environment, seed, conformance } = results
  const of = conformance ? targetProperties(conformance) : { environment, seed }
  const properties = Object.entries({ ...of, ...selectionOf(results) }).filter(
    ([, value]) => value !== undefined,
  )
  return xml`
    <properties>${properties.map(([name, value]) => xml`<property name="${name}" value="${value}"/>`)}</properties>`
}

function testSuite(
  suite: string,
  scenarios: readonly ScenarioResult[],
  results: Results,
  { attachments }: JunitOptions,
): SafeHtml {
  const { failed, skipped, inconclusive } = tallyResults({ scenarios: [...scenarios] })
  const errors = scenarios.filter(isKitFault).length
  const kind = results.conformance ? 'conformance' : 'scenarios'
  const time = scenarios.reduce((sum, scenario) => sum + scenario.durationMilliseconds, 0)
  // Jenkins reads times without a time zone.
  const timestamp = results.startedAt.slice(0, 19)
  return xml`
  <testsuite name="${kind}.${suite}" tests="${scenarios.length}" failures="${failed}" errors="${errors}" skipped="${skipped + inconclusive - errors}" time="${secondsOf(time)}" timestamp="${timestamp}">${propertiesOf(results)}${scenarios.map((scenario) => testCase(scenario, attachments?.get(scenario.id) ?? []))}
  </testsuite>`
}

/** JUnit has no outcome of a run: a suite with an error shows that most checks are blocked. */
function blockedSuite({ conformance, warnings }: Results): SafeHtml {
  const message = 'Most checks have no result.'
  return xml`
  <testsuite name="conformance" tests="1" failures="0" errors="1" skipped="0">
    <testcase classname="conformance" name="${conformance?.plan}: most checks have a result">
      <error type="blocked" message="${message}">${warnings.join('\n')}</error>
    </testcase>
  </testsuite>`
}

/**
 * The results as JUnit XML, in the form that Jenkins, GitLab and GitHub's test reporters read: one
 * element per suite; in the failure its step, the difference and the command that repeats the
 * scenario; in `system-out` the steps and the images. A warning of the conformance kit is a passed
 * case with the warning in its output. An inconclusive check is skipped, with the reason, unless it
 * has an internal error in the kit: that is an error, and so is a run in which most checks are
 * blocked. The elements follow the schema that Jenkins' xUnit plugin publishes; `file` and `line` of
 * a case are additions for GitLab and GitHub's reporters.
 */
export function createJunit(results: Results, options: JunitOptions = {}): string {
  const { failed } = tallyResults(results)
  const extra = isBlocked(results) ? [blockedSuite(results)] : []
  const errors = results.scenarios.filter(isKitFault).length + extra.length
  const suites = Map.groupBy(results.scenarios, ({ suite }) => suite)
  const { markup } = xml`<?xml version="1.0" encoding="UTF-8"?>
<testsuites name="${results.conformance ? 'conformance' : 'scenarios'}" tests="${results.scenarios.length + extra.length}" failures="${failed}" errors="${errors}" time="${secondsOf(results.durationMilliseconds)}">${extra}${[...suites].map(([suite, scenarios]) => testSuite(suite, scenarios, results, options))}
</testsuites>
`
  return markup
}
