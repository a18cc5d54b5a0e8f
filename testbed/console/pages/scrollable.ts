import { html, type SafeHtml } from '#core/html/html.ts'

/** A table that scrolls by itself, by keyboard too, where the window is narrower than what it holds. */
export function scrollable(label: string, table: SafeHtml): SafeHtml {
  return html`<div class="scrollable" role="region" aria-label="${label}" tabindex="0">
${table}
</div>`
}
