import { html, type SafeHtml } from '#core/html/html.ts'
import type { DialectSummary } from '#scenarios/harness/z-results.ts'
import { cell } from './formatting.ts'

const countOf = ({ kind, messages }: DialectSummary) =>
  `${kind}, ${messages === 1 ? '1 message' : `${messages} messages`}`

const departure = (documents: string | undefined) =>
  documents === undefined ? 'as documented' : `departs: ${documents}`

/**
 * The revision that each message of the system under test follows, folded, as a part of the page.
 */
export function dialectSection(summaries: readonly DialectSummary[]): SafeHtml | undefined {
  if (summaries.length === 0) return undefined
  const rows = summaries.flatMap((summary) =>
    summary.members.map(
      ({ path, follows, documents }) =>
        html`<tr><td>${countOf(summary)}</td><td><code>${path}</code></td><td>${follows}</td><td>${departure(documents)}</td></tr>`,
    ),
  )
  return html`<details><summary>Dialect: the revision of its messages</summary>
<div class="verdicts dialect" tabindex="0" role="group" aria-label="Dialect"><table><thead><tr><th scope="col">Message</th><th scope="col">Member</th><th scope="col">Follows</th><th scope="col">The profile</th></tr></thead><tbody>${rows}</tbody></table></div></details>`
}

/** The same as Markdown. */
export function summarizeDialectAsMarkdown(summaries: readonly DialectSummary[]): string {
  const rows = summaries.flatMap((summary) =>
    summary.members.map(
      ({ path, follows, documents }) =>
        `| ${countOf(summary)} | ${cell(path)} | ${cell(follows)} | ${cell(departure(documents))} |`,
    ),
  )
  if (rows.length === 0) return ''
  return [
    '### Dialect: the revision of its messages',
    '',
    '| Message | Member | Follows | The profile |',
    '| --- | --- | --- | --- |',
    ...rows,
    '',
  ].join('\n')
}
