import { html, type SafeHtml } from '#core/html/html.ts'
import type { CheckResult, ScenarioResult } from '#scenarios/harness/z-results.ts'
import { isKitFault } from '#scenarios/harness/z-results.ts'
import { describeCheck } from './describe-check.ts'
import { differenceBlock, stackBlock } from './difference-block.ts'
import { checkMeanings, checkWords } from './verdict-names.ts'

/** What was found by a check, by which rule it is judged, and how to run it alone. */
export function checkSection(check: CheckResult, result: ScenarioResult): SafeHtml {
  const { verdict, failure, repeat } = result
  const word = checkWords[verdict]
  const meaning = isKitFault(result) ? 'The kit itself went wrong.' : checkMeanings[verdict]
  const own = failure && failure.message !== check.reason ? failure.message : undefined
  return html`<div class="finding"><h3>${word}: ${meaning}</h3><p class="said">${check.reason}</p>
${own !== undefined && html`<p class="said">${own}</p>`}${failure && differenceBlock(failure)}${failure && stackBlock(failure)}
<p class="again">Again alone: <code>${repeat}</code></p></div>
${check.rules.map(({ id, text }) => html`<blockquote class="rule"><p>${text}</p><code>${id}</code></blockquote>`)}
<dl class="about">${describeCheck(check).map(([name, text]) => html`<dt>${name}</dt><dd>${text}</dd>`)}</dl>`
}
