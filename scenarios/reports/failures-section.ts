import { html, type SafeHtml } from '#core/html/html.ts'
import type { ScenarioResult } from '#scenarios/harness/z-results.ts'
import { slugOf } from './slug-of.ts'

const mostCharacters = 240

/** The first line of what a failure says, not at any length. */
function firstLineOf(message: string): string {
  const [line = ''] = message.split('\n', 1)
  return line.length > mostCharacters ? `${line.slice(0, mostCharacters)}…` : line
}

/** What failed, each with its step and what it said, for the top of the page. */
export function failuresSection(scenarios: readonly ScenarioResult[]): SafeHtml | undefined {
  const failed = scenarios.filter(({ verdict }) => verdict === 'failed')
  if (failed.length === 0) return undefined
  const items = failed.map(({ id, title, failure }) => {
    const { step, message = '' } = failure ?? {}
    return html`<li><a href="#${slugOf(id)}">${title} <code>${id}</code></a>${step && html`<p class="faint">${step}</p>`}<p class="said">${firstLineOf(message)}</p></li>`
  })
  return html`<details class="panel failures" open><summary>What failed</summary><ul>${items}</ul></details>`
}
