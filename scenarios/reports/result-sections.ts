import { html, type SafeHtml } from '#core/html/html.ts'
import type { Results, ScenarioResult, Verdict } from '#scenarios/harness/z-results.ts'
import type { Difference } from './create-difference.ts'
import { createImageTable } from './create-image-table.ts'
import { packRun } from './pack-run.ts'
import { scenarioSection } from './scenario-section.ts'
import { tallyResults } from './tally-results.ts'
import { checkOrder, checkWords } from './verdict-names.ts'

// Each one that is open is drawn at once: many would make the page slow to open.
const mostOpen = 3

/**
 * All scenarios by suite, or all checks by verdict, and the data that the page's script draws them
 * from. The first ones that failed are open.
 */
export function resultSections(results: Results, difference: Difference | undefined): SafeHtml[] {
  const { scenarios } = results
  const packed = packRun(scenarios)
  const images = createImageTable(scenarios)
  const changes = new Map(difference?.changes.map((change) => [change.id, change]))
  const open = new Set(scenarios.filter(({ verdict }) => verdict === 'failed').slice(0, mostOpen))
  const sections = new Map(
    scenarios.map((result, index) => {
      const own = packed.scenarios[index] ?? ''
      const isOpen = open.has(result)
      const change = changes.get(result.id)
      return [result, scenarioSection({ result, images, packed: own, isOpen, change })]
    }),
  )
  const data = [
    html`<script type="application/octet-stream" id="shared-values">${packed.shared}</script>`,
    ...images.images.map(
      (image, number) =>
        html`<script type="application/octet-stream" id="image-${number}">${image}</script>`,
    ),
  ]
  const sectionOf = (result: ScenarioResult) => sections.get(result)
  const groups = results.conformance
    ? renderVerdicts(scenarios, sectionOf)
    : renderSuites(scenarios, sectionOf)
  return [...groups, ...data]
}

type SectionOf = (result: ScenarioResult) => SafeHtml | undefined

const renderSuites = (scenarios: readonly ScenarioResult[], sectionOf: SectionOf): SafeHtml[] =>
  [...Map.groupBy(scenarios, ({ suite }) => suite)].map(
    ([suite, members]) =>
      html`<section class="suite"><h2>${suite} <span class="faint">${tallyResults({ scenarios: members }).passed} of ${members.length} passed</span></h2>${members.map(sectionOf)}</section>`,
  )

/** Checks by verdict, what needs a reader most at the top and what passed folded. */
function renderVerdicts(scenarios: readonly ScenarioResult[], sectionOf: SectionOf): SafeHtml[] {
  const byVerdict = Map.groupBy(scenarios, ({ verdict }) => verdict)
  const render = (verdict: Verdict) => {
    const members = byVerdict.get(verdict) ?? []
    if (members.length === 0) return []
    const name = html`${checkWords[verdict]} <span class="faint">${members.length}</span>`
    const cards = members.map(sectionOf)
    return verdict === 'passed'
      ? html`<section class="suite"><details class="fold"><summary><h2>${name}</h2></summary>${cards}</details></section>`
      : html`<section class="suite"><h2>${name}</h2>${cards}</section>`
  }
  return checkOrder.flatMap(render)
}
