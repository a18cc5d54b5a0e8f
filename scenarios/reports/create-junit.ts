import { type SafeHtml, html as xml } from '#core/html/html.ts'
import type { Results, ScenarioResult } from '#scenarios/harness/z-results.ts'
import { tallyResults } from './tally-results.ts'

const secondsOf = (milliseconds: number) => (milliseconds / 1000).toFixed(3)

function outcomeOf({ verdict, failure, repeat }: ScenarioResult): SafeHtml | undefined {
  if (verdict === 'not-run') return xml`<skipped message="not run"/>`
  if (verdict === 'interrupted') return xml`<skipped message="interrupted"/>`
  if (failure === undefined) return undefined
  const { code, message, step, stack } = failure
  const text = [
    message,
    ...(step === undefined ? [] : [`Step: ${step}`]),
    `Repeat: ${repeat}`,
    ...(stack === undefined ? [] : ['', stack]),
  ].join('\n')
  return xml`<failure type="${code}" message="${message}">${text}</failure>`
}

function testCase(result: ScenarioResult): SafeHtml {
  const { suite, name, algorithm, title, steps, durationMilliseconds } = result
  const story = steps.map(
    ({ title: step, verdict, durationMilliseconds: duration }) =>
      `${verdict === 'passed' ? 'ok  ' : 'FAIL'} ${secondsOf(duration)} s  ${step}`,
  )
  return xml`
    <testcase classname="scenarios.${suite}" name="${name} (${algorithm}): ${title}" file="scenarios/suites/${suite}/${name}.ts" time="${secondsOf(durationMilliseconds)}">
      ${outcomeOf(result)}
      <system-out>${story.join('\n')}</system-out>
    </testcase>`
}

function testSuite(
  suite: string,
  scenarios: readonly ScenarioResult[],
  startedAt: string,
): SafeHtml {
  const { failed, skipped } = tallyResults({ scenarios: [...scenarios] })
  const time = scenarios.reduce((sum, scenario) => sum + scenario.durationMilliseconds, 0)
  // Jenkins reads times without a zone.
  const timestamp = startedAt.slice(0, 19)
  return xml`
  <testsuite name="scenarios.${suite}" tests="${scenarios.length}" failures="${failed}" errors="0" skipped="${skipped}" time="${secondsOf(time)}" timestamp="${timestamp}">${scenarios.map(testCase)}
  </testsuite>`
}

/**
 * The results as JUnit XML, in the form that Jenkins, GitLab and GitHub's test reporters read: a
 * suite an element, the failing step and the command that repeats the scenario in the failure.
 */
export function createJunit(results: Results): string {
  const { failed, skipped } = tallyResults(results)
  const suites = Map.groupBy(results.scenarios, ({ suite }) => suite)
  const { markup } = xml`<?xml version="1.0" encoding="UTF-8"?>
<testsuites name="scenarios" tests="${results.scenarios.length}" failures="${failed}" errors="0" skipped="${skipped}" time="${secondsOf(results.durationMilliseconds)}">${[...suites].map(([suite, scenarios]) => testSuite(suite, scenarios, results.startedAt))}
</testsuites>
`
  return markup
}
