import { html, type SafeHtml } from '#core/html/html.ts'
import type { ScenarioResult } from '#scenarios/harness/z-results.ts'
import { differenceBlock, stackBlock } from './difference-block.ts'

/** Why a scenario failed: what it said, expected against found, where in the code, how to repeat it. */
export function failureSection({ failure, repeat }: ScenarioResult): SafeHtml | undefined {
  if (failure === undefined) return undefined
  const { code, message, step } = failure
  return html`<section class="failure" aria-label="Failure"><h3>${step === undefined ? 'It failed' : html`Failed at: ${step}`}</h3><p class="said">${message}</p>
${differenceBlock(failure)}
<p class="faint">${code}</p>
<p class="again">Again alone: <code>${repeat}</code></p>
${stackBlock(failure)}</section>`
}
