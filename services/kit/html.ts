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

const escapeHtml = (text: string) => text.replace(/[&<>"']/g, (c) => entities[c] ?? c)

function render(value: unknown): string {
  if (value === undefined || value === null || value === false || value === true) return ''
  if (value instanceof SafeHtml) return value.markup
  if (Array.isArray(value)) return value.map(render).join('')
  return escapeHtml(String(value))
}

/**
 * Template tag for markup: whatever is put in is escaped, unless it is markup made by this tag.
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
