import { createHash } from 'node:crypto'
import { html, type SafeHtml, trustedHtml } from '#core/html/html.ts'
import type { Results } from '#scenarios/harness/z-results.ts'
import { conformanceHeader } from './conformance-header.ts'
import type { Difference } from './create-difference.ts'
import { dialectSection } from './dialect-section.ts'
import { differenceSection } from './difference-section.ts'
import { failuresSection } from './failures-section.ts'
import { filterForm } from './filter-form.ts'
import { formatDuration } from './format-duration.ts'
import { readPageScript } from './page-script.ts'
import { pageStyle } from './page-style.ts'
import { resultSections } from './result-sections.ts'
import { selectionOf } from './selection-of.ts'
import { slowestSection } from './slowest-section.ts'
import { type Tally, tallyResults } from './tally-results.ts'

const hashOf = (text: string) => `'sha256-${createHash('sha256').update(text).digest('base64')}'`

/** Nothing but this very style and script, and images that are in the page itself. */
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
  // By verdict the table of the plan counts checks.
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

/**
 * The results as one HTML file that needs no network: summary, filter, what changed since an earlier
 * run, and for each scenario its description, steps, failure and documents. Its script draws the
 * sequence diagram and the exchanges, which are packed, once a scenario is opened.
 */
export function createPage(results: Results, difference?: Difference): string {
  const tally = tallyResults(results)
  const headline = headlineOf(tally)
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
<title>${headline} · ${conformance ? `conformance of the ${conformance.plan}` : 'scenarios'}</title>
<style>${trustedHtml(pageStyle)}</style>
</head>
<body>
<header>
<p class="eyebrow">${conformance ? `Conformance report, plan ${conformance.plan}` : 'Scenario report'}</p>
<h1>${headline}</h1>
${conformance && conformanceHeader(conformance, scenarios)}
${renderFacts(results, tally)}
${renderBar(tally, scenarios.length)}
${results.interrupted && html`<p class="warning">The run was interrupted: this is what ran until then.</p>`}
${results.warnings.map((warning) => html`<p class="warning">${warning}</p>`)}
</header>
<main>
${conformance === undefined && failuresSection(scenarios)}
${difference && differenceSection(difference)}
${conformance === undefined && slowestSection(scenarios)}
${filterForm(results, tally, changes)}
${resultSections(results, difference)}
${conformance?.dialect && dialectSection(conformance.dialect)}
<p class="nothing" hidden>Nothing fits.</p>
</main>
<script type="module">${trustedHtml(script)}</script>
</body>
</html>
`
  return markup
}
