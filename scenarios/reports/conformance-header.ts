import { html, type SafeHtml } from '#core/html/html.ts'
import type { Conformance, ScenarioResult } from '#scenarios/harness/z-results.ts'
import { checkMeanings, checkOrder, checkWords } from './verdict-names.ts'

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

/** What was tested, and how its checks ended, by verdict and by who demands them. */
export function conformanceHeader(
  { target, strict, kitVersion, commit }: Conformance,
  results: readonly ScenarioResult[],
): SafeHtml {
  const { name, description, addresses } = target
  const kit = commit === undefined ? kitVersion : `${kitVersion}, commit ${commit}`
  return html`<p class="target"><b>${name}</b>${description !== undefined && html` ${description}`}</p>
<dl class="about">${Object.entries(addresses).map(([part, address]) => html`<dt>${part}</dt><dd><code>${address}</code></dd>`)}<dt>Kit</dt><dd>${kit}</dd>
<dt>Warnings</dt><dd>${strict ? 'fail: the run was strict' : 'do not fail'}</dd></dl>
<div class="verdicts" tabindex="0" role="group" aria-label="Checks by verdict"><table><thead><tr><th scope="col">Verdict</th><th scope="col">Checks</th>${levels.map((level) => html`<th scope="col">${level}</th>`)}<th scope="col">What it says</th></tr></thead><tbody>${checkOrder.map((verdict) => renderRow(verdict, results))}</tbody></table></div>`
}
