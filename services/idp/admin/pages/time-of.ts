import { html, type SafeHtml } from '#core/html/html.ts'

/** A time as people read it, in UTC. */
export function timeOf(seconds: number): SafeHtml {
  const iso = new Date(seconds * 1000).toISOString()
  return html`<time datetime="${iso}">${iso.slice(0, 16).replace('T', ' ')} UTC</time>`
}
