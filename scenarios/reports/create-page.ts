import { html, type SafeHtml, trustedHtml } from '#core/html/html.ts'
import type { Results, ScenarioResult } from '#scenarios/harness/z-results.ts'
import { formatDuration } from './format-duration.ts'
import { pageScript } from './page-script.ts'
import { pageStyle } from './page-style.ts'
import { scenarioSection } from './scenario-section.ts'
import { type Tally, tallyResults } from './tally-results.ts'

function renderSuite([suite, scenarios]: [string, ScenarioResult[]]): SafeHtml {
  const { passed } = tallyResults({ scenarios })
  return html`<section class="suite"><h2>${suite} <span class="faint">${passed} of ${scenarios.length} passed</span></h2>${scenarios.map(scenarioSection)}</section>`
}

function headlineOf({ failed, skipped }: Tally): string {
  if (failed > 0) return `${failed} failed`
  return skipped > 0 ? 'Not finished' : 'All passed'
}

function renderBar({ passed, failed, skipped }: Tally): SafeHtml {
  const parts = Object.entries({ passed, failed, skipped }).filter(([, count]) => count > 0)
  return html`<div class="tally" aria-hidden="true">${parts.map(([name, count]) => html`<i class="${name}" style="flex:${count}"></i>`)}</div>`
}

function renderFilter({ passed, failed, skipped }: Tally): SafeHtml {
  const choices = [
    ['all', 'All', passed + failed + skipped],
    ['passed', 'Passed', passed],
    ['failed', 'Failed', failed],
    ['skipped', 'Not finished', skipped],
  ] as const
  const radios = choices.map(
    ([value, label, count], index) =>
      html`<label><input type="radio" name="show" value="${value}" id="show-${value}"${index === 0 && html` checked`}><span>${label} <b>${count}</b></span></label>`,
  )
  return html`<form class="filter" aria-label="Filter"><fieldset><legend class="hidden">By verdict</legend>${radios}</fieldset><label class="search" hidden><span class="hidden">Search</span><input type="search" id="search" placeholder="Search scenarios" autocomplete="off"></label></form>`
}

/**
 * The results as one HTML file that needs no network: summary, filter, and for each scenario its
 * description, steps, images, sequence diagram and exchanges. Without scripts only the text search
 * is missing.
 */
export function createPage(results: Results): string {
  const tally = tallyResults(results)
  const suites = Map.groupBy(results.scenarios, ({ suite }) => suite)
  const headline = headlineOf(tally)
  const { markup } = html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${headline} · scenarios</title>
<style>${trustedHtml(pageStyle)}</style>
</head>
<body>
<header>
<p class="eyebrow">Scenario report</p>
<h1>${headline}</h1>
<p class="facts"><span>${tally.passed} passed</span><span>${tally.failed} failed</span><span>${tally.skipped} not finished</span><span>${formatDuration(results.durationMilliseconds)}</span><span>environment ${results.environment}</span><time datetime="${results.startedAt}">${results.startedAt.slice(0, 19).replace('T', ' ')} UTC</time></p>
${renderBar(tally)}
${results.interrupted && html`<p class="warning">The run was interrupted: this is what ran until then.</p>`}
${results.warnings.map((warning) => html`<p class="warning">${warning}</p>`)}
${renderFilter(tally)}
</header>
<main>
${[...suites].map(renderSuite)}
<p class="nothing" hidden>No scenario fits.</p>
</main>
<script>${trustedHtml(pageScript)}</script>
</body>
</html>
`
  return markup
}
