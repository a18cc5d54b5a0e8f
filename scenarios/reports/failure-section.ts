import { html, type SafeHtml } from '#core/html/html.ts'
import type { ScenarioResult } from '#scenarios/harness/z-results.ts'
import { describeFailure } from './describe-failure.ts'
import type { DiffLine } from './diff-lines.ts'

const names = { expected: 'only expected', found: 'only found', both: '' } as const

function renderLine({ kind, text }: DiffLine): SafeHtml {
  const said = kind === 'both' ? undefined : html`<span class="hidden">${names[kind]}: </span>`
  return html`<span class="${kind}">${said}${text}\n</span>`
}

/** Why a scenario failed: what it said, expected against found, where in the code, how to repeat it. */
export function failureSection({ failure, repeat }: ScenarioResult): SafeHtml | undefined {
  if (failure === undefined) return undefined
  const { code, message, step, stack } = failure
  const difference = describeFailure(failure)
  const legend =
    failure.expected === undefined
      ? 'Found'
      : html`<span class="expected">− expected</span> <span class="found">+ found</span>`
  return html`<section class="failure" aria-label="Failure"><h3>${step === undefined ? 'It failed' : html`Failed at: ${step}`}</h3><p class="said">${message}</p>
${difference && html`<p class="part">${legend}</p><pre class="diff" tabindex="0" role="group" aria-label="Difference">${difference.map(renderLine)}</pre>`}
<p class="faint">${code}</p>
<p class="again">Again alone: <code>${repeat}</code></p>
${stack && html`<details><summary>Where in the code</summary><pre tabindex="0" role="group" aria-label="Stack">${stack}</pre></details>`}</section>`
}
