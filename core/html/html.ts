/** A piece of markup that is safe to put into a page as it is. */
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

// What XML 1.0 (section 2.2) has no place for, not even escaped, and lone surrogates.
const forbidden = /[^\t\n\r\u0020-\uD7FF\uE000-\uFFFD\u{10000}-\u{10FFFF}]/gu

const escapeHtml = (text: string) =>
  text.replace(forbidden, '\uFFFD').replace(/[&<>"']/g, (c) => entities[c] ?? c)

function render(value: unknown): string {
  if (value === undefined || value === null || value === false || value === true) return ''
  if (value instanceof SafeHtml) return value.markup
  if (Array.isArray(value)) return value.map(render).join('')
  return escapeHtml(String(value))
}

/**
 * Template tag for HTML, SVG and XML: what is put in is escaped, unless it is markup of this tag.
 * Lists are joined; `undefined`, `null` and booleans print nothing.
 * @example html`<p>${userName}</p>`
 */
export function html(strings: TemplateStringsArray, ...values: unknown[]): SafeHtml {
  return new SafeHtml(String.raw({ raw: strings }, ...values.map(render)))
}

/** Marks text that is already markup, for example an SVG of our own making. Never user input. */
export function trustedHtml(markup: string): SafeHtml {
  return new SafeHtml(markup)
}
