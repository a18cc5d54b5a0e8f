/** Text that is markup (HTML, SVG or XML) already and is put in as it is. */
export class Markup {
  readonly text: string
  constructor(text: string) {
    this.text = text
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

const escapeText = (text: string) =>
  text.replace(forbidden, '\uFFFD').replace(/[&<>"']/g, (character) => entities[character] ?? '')

function print(value: unknown): string {
  if (value === undefined || value === null || value === false) return ''
  if (value instanceof Markup) return value.text
  return Array.isArray(value) ? value.map(print).join('') : escapeText(String(value))
}

/**
 * Template tag for HTML, SVG and XML: what is put in is escaped, unless it is markup of this tag.
 * Lists are joined; `undefined`, `null` and `false` print nothing.
 */
export function markup(strings: TemplateStringsArray, ...values: unknown[]): Markup {
  return new Markup(String.raw({ raw: strings }, ...values.map(print)))
}
