import { html, type SafeHtml } from '#core/html/html.ts'

/** A time (Unix milliseconds) as people read it, and as machines do. */
export function showTime(milliseconds: number): SafeHtml {
  const iso = new Date(milliseconds).toISOString()
  return html`<time datetime="${iso}">${iso.slice(0, 10)} ${iso.slice(11, 19)} UTC</time>`
}
