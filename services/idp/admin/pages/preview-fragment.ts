import { html, type SafeHtml } from '#core/html/html.ts'
import type { MapperPreview } from '../../domain/mappers.ts'

/** What a text of mappers makes of the sample, as a part of the page. */
export function previewFragment({ problems, claims }: MapperPreview): SafeHtml {
  return html`${
    problems.length > 0 &&
    html`<ul class="problems">${problems.map(
      ({ line, reason }) => html`<li>Line ${line}: ${reason}</li>`,
    )}</ul>`
  }
${
  claims.length === 0
    ? html`<p class="soft">No claims.</p>`
    : html`<dl>${claims.map(
        ({ claim, value }) => html`<dt class="code">${claim}</dt>
<dd class="code">${value === undefined ? html`<em>not in the sample: no claim</em>` : JSON.stringify(value)}</dd>`,
      )}</dl>`
}`
}
