import { createHash } from 'node:crypto'
import { emptyIcon, html, type SafeHtml, trustedHtml } from '#core/html/html.ts'
import {
  type Conformance,
  isBlocked,
  type Results,
  type ScenarioResult,
} from '#scenarios/harness/z-results.ts'
import {
  type Change,
  changeNames,
  countChanges,
  type Difference,
  describeChange,
  groupChanges,
  otherSelection,
  selectionOf,
} from './create-difference.ts'
import { dialectSection } from './dialect-section.ts'
import { formatDuration, planTitle, slugOf } from './formatting.ts'
import { pageStyle, readPageScript } from './page-assets.ts'
import { type PageOptions, resultSections } from './result-sections.ts'
import { checkMeanings, checkOrder, checkWords, type Tally, tallyResults } from './verdicts.ts'

/**
 * The results as one HTML file that needs no network: summary, filter, changes since an earlier
 * run, and for each scenario its description, steps, failure and documents. Its script draws the
 * sequence diagram and the exchanges, which are packed, once a scenario is opened.
 */
export function createPage(results: Results, { difference, profile }: PageOptions = {}): string {
  const tally = tallyResults(results)
  const headline = isBlocked(results) ? 'Failed: most checks have no result' : headlineOf(tally)
  const { conformance, scenarios } = results
  const script = readPageScript()
  const changes = difference?.changes.filter(({ after }) => after !== undefined).length
  const { markup } = html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policyOf(pageStyle, script)}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${headline} · ${conformance ? planTitle(conformance.plan) : 'scenarios'}</title>
${emptyIcon}
<style>${trustedHtml(pageStyle)}</style>
</head>
<body>
<header>
<p class="eyebrow">${conformance ? planTitle(conformance.plan) : 'Scenario report'}</p>
<h1>${headline}</h1>
${conformance && conformanceHeader(conformance, scenarios)}
${renderFacts(results, tally)}
${renderBar(tally, scenarios.length)}
${results.interrupted && html`<p class="warning">The run was interrupted. These are the results until then.</p>`}
${results.warnings.map((warning) => html`<p class="warning">${warning}</p>`)}
</header>
<main data-profile="${profile}">
${conformance === undefined && failuresSection(scenarios)}
${difference && differenceSection(difference)}
${conformance === undefined && slowestSection(scenarios)}
${filterForm(results, tally, changes)}
${resultSections(results, { difference, profile })}
${conformance?.dialect && dialectSection(conformance.dialect)}
<p class="nothing" hidden>No matches.</p>
</main>
<script type="module">${trustedHtml(script)}</script>
</body>
</html>
`
  return markup
}

const hashOf = (text: string) => `'sha256-${createHash('sha256').update(text).digest('base64')}'`

/** Only this style and script, and images that are in the page itself. */
const policyOf = (style: string, script: string) =>
  [
    "default-src 'none'",
    `style-src ${hashOf(style)}`,
    `script-src ${hashOf(script)}`,
    'img-src data:',
    "base-uri 'none'",
    "form-action 'none'",
  ].join('; ')

function headlineOf({ failed, warned, inconclusive, skipped }: Tally): string {
  if (failed > 0) return `${failed} failed`
  if (skipped > 0) return 'Not finished'
  const open = [
    ...(warned > 0 ? [warned === 1 ? '1 warning' : `${warned} warnings`] : []),
    ...(inconclusive > 0 ? [`${inconclusive} inconclusive`] : []),
  ]
  return open.length > 0 ? `None failed, ${open.join(', ')}` : 'All passed'
}

function renderBar(tally: Tally, total: number): SafeHtml {
  let start = 0
  const parts = Object.entries(tally).map(([name, count]) => {
    const x = start
    start += (100 * count) / Math.max(total, 1)
    return html`<rect class="${name}" x="${x.toFixed(2)}" width="${(start - x).toFixed(2)}" height="8"/>`
  })
  return html`<svg class="tally" viewBox="0 0 100 8" preserveAspectRatio="none" aria-hidden="true">${parts}</svg>`
}

function renderFacts(results: Results, tally: Tally): SafeHtml {
  const { environment, seed, startedAt, durationMilliseconds, conformance } = results
  const { pattern, shard } = selectionOf(results)
  const exchanges = results.scenarios.reduce((sum, { hops }) => sum + hops.length, 0)
  const { passed, failed, skipped } = tally
  // For checks, the table of the plan shows the counts by verdict.
  const counts = conformance
    ? []
    : [`${passed} passed`, `${failed} failed`, `${skipped} not finished`]
  const facts = [
    ...counts,
    `${exchanges} exchanges`,
    formatDuration(durationMilliseconds),
    ...(conformance ? [] : [`environment ${environment}`]),
    ...(seed === undefined ? [] : [`seed ${seed}`]),
    ...(pattern === undefined ? [] : [`selection ${pattern}`]),
    ...(shard === undefined ? [] : [`shard ${shard}`]),
  ]
  const time = startedAt.slice(0, 19).replace('T', ' ')
  return html`<p class="facts">${facts.map((fact) => html`<span>${fact}</span>`)}<time datetime="${startedAt}">${time} UTC</time></p>`
}

const levels = ['spec', 'final', 'practice'] as const

function renderRow(
  verdict: (typeof checkOrder)[number],
  results: readonly ScenarioResult[],
): SafeHtml | undefined {
  const these = results.filter((each) => each.verdict === verdict)
  const isRare = verdict === 'interrupted' || verdict === 'not-run'
  if (isRare && these.length === 0) return undefined
  const counts = levels.map(
    (level) => html`<td>${these.filter(({ check }) => check?.level === level).length}</td>`,
  )
  return html`<tr class="${verdict}"><th scope="row"><span class="sign" aria-hidden="true"></span> ${checkWords[verdict]}</th><td><b>${these.length}</b></td>${counts}<td class="faint">${checkMeanings[verdict]}</td></tr>`
}

/** The target, and the counts of its checks by verdict and by level. */
function conformanceHeader(
  { target, strict, kitVersion, commit }: Conformance,
  results: readonly ScenarioResult[],
): SafeHtml {
  const { name, description, addresses } = target
  const kit = commit === undefined ? kitVersion : `${kitVersion}, commit ${commit}`
  return html`<p class="target"><b>${name}</b>${description !== undefined && html` ${description}`}</p>
<dl class="about">${Object.entries(addresses).map(([part, address]) => html`<dt>${part}</dt><dd><code>${address}</code></dd>`)}<dt>Kit</dt><dd>${kit}</dd>
<dt>Warnings</dt><dd>${strict ? 'fail: the run was strict' : 'do not fail'}</dd></dl>
<div class="verdicts" tabindex="0" role="group" aria-label="Checks by verdict"><table><thead><tr><th scope="col">Verdict</th><th scope="col">Checks</th>${levels.map((level) => html`<th scope="col">${level}</th>`)}<th scope="col">Meaning</th></tr></thead><tbody>${checkOrder.map((verdict) => renderRow(verdict, results))}</tbody></table></div>`
}

function renderChange(change: Change): SafeHtml {
  const { id, title, after } = change
  const name = html`${title} <code>${id}</code>`
  const said = describeChange(change)
  const link = after === undefined ? name : html`<a href="#${slugOf(id)}">${name}</a>`
  return html`<li>${link}${said !== '' && html` <span class="faint">${said}</span>`}</li>`
}

/** The changes since an earlier run, the most urgent first, for the top of the page. */
function differenceSection(difference: Difference): SafeHtml {
  const { before, changes, isSameSelection } = difference
  const groups = groupChanges(difference).map(
    ({ kind, changes: these, more }) =>
      html`<h2>${changeNames[kind]}</h2><ul>${these.map(renderChange)}${more > 0 && html`<li class="faint">and ${more} more</li>`}</ul>`,
  )
  const isUrgent = changes.some(({ kind }) => kind === 'newly-failing')
  const time = before.startedAt.slice(0, 19).replace('T', ' ')
  return html`<details class="panel difference"${isUrgent && html` open`}><summary>Since the run of <time datetime="${before.startedAt}">${time} UTC</time>: <b>${countChanges(difference)}</b></summary>
${!isSameSelection && html`<p class="faint">${otherSelection}</p>`}${groups}</details>`
}

const longestLine = 240

/** The first line of a failure's message, truncated. */
function firstLineOf(message: string): string {
  const [line = ''] = message.split('\n', 1)
  return line.length > longestLine ? `${line.slice(0, longestLine)}…` : line
}

/** The failures, each with its step and message, for the top of the page. */
function failuresSection(scenarios: readonly ScenarioResult[]): SafeHtml | undefined {
  const failed = scenarios.filter(({ verdict }) => verdict === 'failed')
  if (failed.length === 0) return undefined
  const items = failed.map(({ id, title, failure }) => {
    const { step, message = '' } = failure ?? {}
    return html`<li><a href="#${slugOf(id)}">${title} <code>${id}</code></a>${step && html`<p class="faint">${step}</p>`}<p class="said">${firstLineOf(message)}</p></li>`
  })
  return html`<details class="panel failures" open><summary>Failures</summary><ul>${items}</ul></details>`
}

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
 * The filter. By verdict it works with style only, without the page's script; the script shows the
 * other choices. `changes` counts the changes since an earlier run, if there is one.
 */
function filterForm(
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

const mostSlow = 10

/** The slowest scenarios, each with its slowest step. */
function slowestSection(scenarios: readonly ScenarioResult[]): SafeHtml | undefined {
  const slowest = scenarios
    .filter(({ durationMilliseconds }) => durationMilliseconds > 0)
    .toSorted((one, other) => other.durationMilliseconds - one.durationMilliseconds)
    .slice(0, mostSlow)
  if (slowest.length === 0) return undefined
  const longest = slowest[0]?.durationMilliseconds ?? 1
  const rows = slowest.map(({ id, title, durationMilliseconds, steps }) => {
    const [step] = steps.toSorted(
      (one, other) => other.durationMilliseconds - one.durationMilliseconds,
    )
    const width = ((100 * durationMilliseconds) / longest).toFixed(1)
    return html`<tr><td class="time">${formatDuration(durationMilliseconds)}</td><td><svg class="bar" viewBox="0 0 100 6" preserveAspectRatio="none" aria-hidden="true"><rect width="${width}" height="6"/></svg></td><td><a href="#${slugOf(id)}">${title} <code>${id}</code></a></td><td class="faint">${step && html`${formatDuration(step.durationMilliseconds)} at “${step.title}”`}</td></tr>`
  })
  return html`<details class="panel"><summary>Slowest scenarios</summary><table class="slowest"><thead><tr><th>Time</th><th><span class="hidden">Compared</span></th><th>Scenario</th><th>Slowest step</th></tr></thead><tbody>${rows}</tbody></table></details>`
}
