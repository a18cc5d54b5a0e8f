import { displayTime } from '#core/text/display-time.ts'

/** Markup that is safe to insert into a page without escaping. */
export class SafeHtml {
  readonly markup: string
  constructor(markup: string) {
    this.markup = markup
  }
  toString(): string {
    return this.markup
  }
}

const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}

// Characters that XML 1.0 (section 2.2) does not allow even if escaped, and lone surrogates.
const forbidden = /[^\t\n\r\u0020-\uD7FF\uE000-\uFFFD\u{10000}-\u{10FFFF}]/gu

const escapeHtml = (text: string) =>
  text.replace(forbidden, '\uFFFD').replace(/[&<>"']/g, (c) => entities[c] ?? c)

function render(value: unknown): string {
  if (value === undefined || value === null || value === false || value === true) return ''
  if (value instanceof SafeHtml) return value.markup
  if (Array.isArray(value)) return value.map(render).join('')
  return escapeHtml(String(value))
}

/** An empty icon, in the head of a page: browsers request /favicon.ico of a page without one. */
export const emptyIcon = new SafeHtml('<link rel="icon" href="data:,">')

/**
 * Template tag for HTML, SVG and XML: escapes inserted values, except for markup of this tag. Joins
 * lists; prints nothing for `undefined`, `null` and booleans.
 * @example html`<p>${userName}</p>`
 */
export function html(strings: TemplateStringsArray, ...values: unknown[]): SafeHtml {
  return new SafeHtml(String.raw({ raw: strings }, ...values.map(render)))
}

/** A time in UTC, for readers and machines. @param time RFC 3339, or Unix seconds */
export function timeElement(time: string | number, precision?: 'second' | 'minute'): SafeHtml {
  const iso = typeof time === 'string' ? time : new Date(time * 1000).toISOString()
  return html`<time datetime="${iso}">${displayTime(iso, precision)}</time>`
}

/** Marks a string as markup, for example a generated SVG. Never use it for user input. */
export function trustedHtml(markup: string): SafeHtml {
  return new SafeHtml(markup)
}

/** A value as JSON behind its label, to open; nothing for `undefined` and `null`. */
export function jsonDetails(label: string, value: unknown): SafeHtml | undefined {
  if (value === undefined || value === null) return undefined
  return html`<details><summary>${label}</summary>
<pre tabindex="0" aria-label="${label}">${JSON.stringify(value, null, 2)}</pre></details>`
}
