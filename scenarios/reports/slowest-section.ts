import { html, type SafeHtml } from '#core/html/html.ts'
import type { ScenarioResult } from '#scenarios/harness/z-results.ts'
import { formatDuration } from './format-duration.ts'
import { slugOf } from './slug-of.ts'

const shown = 10

/** Where the time went: the slowest scenarios, each with its slowest step. */
export function slowestSection(scenarios: readonly ScenarioResult[]): SafeHtml | undefined {
  const slowest = scenarios
    .filter(({ durationMilliseconds }) => durationMilliseconds > 0)
    .toSorted((one, other) => other.durationMilliseconds - one.durationMilliseconds)
    .slice(0, shown)
  if (slowest.length === 0) return undefined
  const longest = slowest[0]?.durationMilliseconds ?? 1
  const rows = slowest.map(({ id, title, durationMilliseconds, steps }) => {
    const [step] = steps.toSorted(
      (one, other) => other.durationMilliseconds - one.durationMilliseconds,
    )
    const width = ((100 * durationMilliseconds) / longest).toFixed(1)
    return html`<tr><td class="time">${formatDuration(durationMilliseconds)}</td><td><svg class="bar" viewBox="0 0 100 6" preserveAspectRatio="none" aria-hidden="true"><rect width="${width}" height="6"/></svg></td><td><a href="#${slugOf(id)}">${title} <code>${id}</code></a></td><td class="faint">${step && html`${formatDuration(step.durationMilliseconds)} at “${step.title}”`}</td></tr>`
  })
  return html`<details class="panel"><summary>Where the time went</summary><table class="slowest"><thead><tr><th>Time</th><th><span class="hidden">Compared</span></th><th>Scenario</th><th>Slowest step</th></tr></thead><tbody>${rows}</tbody></table></details>`
}
