import { html, type SafeHtml } from '#core/html/html.ts'
import type { Results } from '#scenarios/harness/z-results.ts'
import type { Tally } from './tally-results.ts'

function choice(name: string, label: string, all: string, values: Iterable<string>): SafeHtml {
  const options = [...new Set(values)]
    .sort()
    .map((value) => html`<option value="${value}">${value}</option>`)
  return html`<label class="choice" hidden><span>${label}</span><select name="${name}"><option value="">${all}</option>${options}</select></label>`
}

type Scenarios = Results['scenarios']

const levelChoice = (scenarios: Scenarios) =>
  choice(
    'level',
    'Level',
    'all levels',
    scenarios.flatMap(({ check }) => check?.level ?? []),
  )

const scenarioChoices = (scenarios: Scenarios) => html`${choice(
  'suite',
  'Suite',
  'all suites',
  scenarios.map(({ suite }) => suite),
)}
${choice(
  'algorithm',
  'Algorithm',
  'both',
  scenarios.map(({ algorithm }) => algorithm),
)}`

/**
 * The filter. By verdict it works without the page's script, by style alone; the other choices are
 * shown by the script. `changes` counts what differs from an earlier run, where there is one.
 */
export function filterForm(
  { scenarios, conformance }: Results,
  { passed, failed, warned, inconclusive, skipped }: Tally,
  changes: number | undefined,
): SafeHtml {
  const ofChecks = [
    ['warned', 'Warnings', warned],
    ['inconclusive', 'Inconclusive', inconclusive],
  ] as const
  const verdicts = [
    ['', 'All', scenarios.length],
    ['passed', 'Passed', passed],
    ['failed', 'Failed', failed],
    ...(conformance ? ofChecks : []),
    ['skipped', 'Not finished', skipped],
    ...(changes === undefined ? [] : [['changed', 'Changed', changes] as const]),
  ] as const
  const radios = verdicts.map(
    ([value, label, count]) =>
      html`<label><input type="radio" name="verdict" value="${value}" id="show-${value === '' ? 'all' : value}"${value === '' && html` checked`}><span>${label} <b>${count}</b></span></label>`,
  )
  return html`<form class="filter" id="filter" data-noun="${conformance ? 'check' : 'scenario'}" role="search" aria-label="Filter"><fieldset><legend class="hidden">By verdict</legend>${radios}</fieldset>
${conformance ? levelChoice(scenarios) : scenarioChoices(scenarios)}
<label class="choice words" hidden><span>Words</span><input type="search" name="text" id="text" placeholder="press / to search" autocomplete="off"></label>
<p id="shown" class="faint" role="status" hidden></p></form>`
}
