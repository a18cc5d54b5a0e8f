import { html, type SafeHtml } from '#core/html/html.ts'
import type { Failure } from '#scenarios/harness/z-results.ts'
import { describeFailure } from './describe-failure.ts'
import type { DiffLine } from './diff-lines.ts'

const names = { expected: 'only expected', found: 'only found', both: '' } as const

function renderLine({ kind, text }: DiffLine): SafeHtml {
  const said = kind === 'both' ? undefined : html`<span class="hidden">${names[kind]}: </span>`
  return html`<span class="${kind}">${said}${text}\n</span>`
}

/** Expected against found, line by line; undefined where the failure names neither. */
export function differenceBlock(failure: Failure): SafeHtml | undefined {
  const difference = describeFailure(failure)
  const legend =
    failure.expected === undefined
      ? 'Found'
      : html`<span class="expected">− expected</span> <span class="found">+ found</span>`
  return (
    difference &&
    html`<p class="part">${legend}</p><pre class="diff" tabindex="0" role="group" aria-label="Difference">${difference.map(renderLine)}</pre>`
  )
}

/** Where in the code it failed, folded. */
export const stackBlock = ({ stack }: Failure): SafeHtml | undefined =>
  stack === undefined
    ? undefined
    : html`<details><summary>Where in the code</summary><pre tabindex="0" role="group" aria-label="Stack">${stack}</pre></details>`
