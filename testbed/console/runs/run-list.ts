import { html, type SafeHtml } from '#core/html/html.ts'
import type { Language } from '#kit/language.ts'
import { scrollable } from '../frame/page.ts'
import type { RunRecord } from './run-archive.ts'
import { runTexts } from './texts.ts'

/** What a run was about: the plan, or the suites. */
export function titleOf({ plan }: Pick<RunRecord, 'plan'>, language: Language): string {
  const texts = runTexts[language]
  return plan === undefined ? texts.suiteRun : texts.planRun(texts.plans[plan].name)
}

/** The name of the system under test, which a person has typed. */
export const subjectOf = ({ kind, subject }: RunRecord, language: Language): string =>
  kind === 'conformance' && subject === 'self' ? runTexts[language].self : subject

const tones = {
  failed: 'bad',
  warned: 'wait',
  inconclusive: 'wait',
  skipped: 'wait',
  passed: 'good',
} as const satisfies Record<keyof RunRecord['tally'], string>

/** The state of a run if it did not end by itself, and its results by verdict. */
export function tallyBadges({ state, tally }: RunRecord, language: Language): SafeHtml {
  const { counts, states } = runTexts[language]
  const names = Object.keys(tones) as (keyof typeof tones)[]
  const shown = names.filter((name) => tally[name] > 0)
  const stateTone = state === 'failed' || state === 'undecided' ? 'bad' : 'wait'
  return html`${state !== 'ended' && html`<span class="badge ${stateTone}">${states[state]}</span> `}${shown.map((name) => html`<span class="badge ${tones[name]}">${counts[name](tally[name])}</span> `)}`
}

/** `2026-11-23 02:54 UTC`, as text. */
export const minuteOf = ({ startedAt }: RunRecord) =>
  `${startedAt.slice(0, 16).replace('T', ' ')} UTC`

/** `2026-11-23 02:54 UTC` */
export const timeOf = (run: RunRecord): SafeHtml =>
  html`<time datetime="${run.startedAt}">${minuteOf(run)}</time>`

/** Deletes a run after a question. @param next the page that opens then; by default the same */
export function deleteForm(run: RunRecord, language: Language, next?: string): SafeHtml {
  const { remove, confirmRemove } = runTexts[language]
  const question = confirmRemove(titleOf(run, language), minuteOf(run))
  return html`<form data-call="DELETE /console/runs/${run.id}" data-confirm="${question}"${next && html` data-next="${next}"`}><button class="button small danger" aria-label="${remove}: ${titleOf(run, language)}, ${minuteOf(run)}">${remove}</button></form>`
}

/** The run in progress, with a link to its page. */
export function currentRun(run: RunRecord | undefined, language: Language): SafeHtml | undefined {
  if (run === undefined) return undefined
  return html`<p class="warning">${runTexts[language].current}: <a href="/runs/${run.id}">${titleOf(run, language)}</a></p>`
}

/** A table of runs, newest first. */
export function runTable(runs: readonly RunRecord[], language: Language): SafeHtml {
  const { columns, earlier, none } = runTexts[language]
  const rows = runs.map(
    (run) =>
      html`<tr><td class="time">${timeOf(run)}</td><td><a href="/runs/${run.id}">${titleOf(run, language)}</a></td><td>${subjectOf(run, language)}</td><td>${tallyBadges(run, language)}</td><td class="remove">${run.state !== 'running' && deleteForm(run, language)}</td></tr>`,
  )
  const heads = [columns.time, columns.what, columns.subject, columns.result, columns.actions]
  const table = html`<table><thead><tr>${heads.map((head) => html`<th scope="col">${head}</th>`)}</tr></thead><tbody>${rows}</tbody></table>`
  return html`<section class="card">
<h2>${earlier}</h2>
${rows.length === 0 ? html`<p class="soft">${none}</p>` : scrollable(earlier, table)}
</section>`
}
