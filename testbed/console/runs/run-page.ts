import { type DrawnLink, drawLink } from '#conformance/targets/adapters/person/tasks.ts'
import { html, type SafeHtml } from '#core/html/html.ts'
import type { Reply } from '#kit/define-route.ts'
import type { Language } from '#kit/language.ts'
import type { RunEvent } from '#scenarios/harness/z-run-event.ts'
import {
  type Change,
  type ChangeKind,
  createDifference,
  describeChange,
  groupChanges,
} from '#scenarios/reports/create-difference.ts'
import { consolePage, type Frame } from '../frame/page.ts'
import { progressTexts } from './progress-texts.ts'
import type { RunArchive, RunRecord } from './run-archive.ts'
import type { NumberedEvent } from './run-board.ts'
import { deleteForm, minuteOf, subjectOf, tallyBadges, timeOf, titleOf } from './run-list.ts'
import { runTexts } from './texts.ts'

/** An event for the page of a run: a task comes with its QR code. */
type ShownEvent = RunEvent & { readonly code?: DrawnLink }

/** Draws the QR code of a task. */
export function showEvent(event: RunEvent): ShownEvent {
  if (event.kind !== 'question' || event.question === null) return event
  return event.question.verb === 'watch' ? event : { ...event, code: drawLink(event.question.link) }
}

/** The events that a page begins with; of the questions, only the last one still matters. */
function showEvents(events: readonly NumberedEvent[]): readonly ShownEvent[] {
  const last = events.findLast(({ event }) => event.kind === 'question')
  return events
    .filter(({ event, number }) => event.kind !== 'question' || number === last?.number)
    .map(({ event }) => showEvent(event))
}

/** What changed between two runs, the most urgent first. */
interface Comparison {
  readonly isSameSelection: boolean
  readonly groups: readonly {
    readonly kind: ChangeKind
    readonly changes: readonly Change[]
    /** How many further ones are not listed. */
    readonly more: number
  }[]
}

/** Undefined if one of the runs has no results. */
export async function describeComparison(
  archive: RunArchive,
  before: string,
  after: string,
): Promise<Comparison | undefined> {
  const [earlier, later] = await Promise.all([before, after].map(archive.readResults))
  if (earlier === undefined || later === undefined) return undefined
  const difference = createDifference(earlier, later)
  return { isSameSelection: difference.isSameSelection, groups: groupChanges(difference) }
}

export interface RunPageOptions {
  readonly record: RunRecord
  readonly events: readonly NumberedEvent[]
  readonly hasReport: boolean
  /** Earlier runs of the same kind, newest first. */
  readonly others: readonly RunRecord[]
  readonly comparison: Comparison | undefined
  readonly comparedWith: string | undefined
}

/** The progress of a run, its results, its report, and what changed since an earlier one. */
export function runPage(frame: Frame, options: RunPageOptions): Reply {
  const { language } = frame
  const { record, events, hasReport } = options
  const texts = runTexts[language]
  return consolePage(frame, {
    title: titleOf(record, language),
    room: record.kind,
    script: 'runs.js',
    style: 'runs.css',
    data: {
      id: record.id,
      state: record.state,
      events: showEvents(events),
      last: events.at(-1)?.number ?? 0,
      texts: progressTexts[language],
      ...(hasReport && { reportPath: `/runs/${record.id}/report` }),
    },
    body: html`<p class="lead">${subjectOf(record, language)} · ${timeOf(record)}</p>
${record.state !== 'running' && html`<p class="row" role="status">${tallyBadges(record, language)}</p>`}
${record.problem !== undefined && html`<div class="alert" role="alert"><p>${texts.problem}</p><pre lang="en" tabindex="0">${record.problem}</pre></div>`}
${record.state !== 'running' && html`<div class="actions">${hasReport && html`<a class="button primary small" href="/runs/${record.id}/report" target="_blank" rel="noopener">${texts.report}</a>`}${deleteForm(record, language, record.kind === 'suites' ? '/suites' : '/conformance')}</div>`}
${hasReport && compareForm(options, language)}
${options.comparison && comparisonSection(options.comparison, language)}
<div id="run"></div>`,
  })
}

function compareForm({ record, others, comparedWith }: RunPageOptions, language: Language) {
  const texts = runTexts[language]
  if (others.length === 0) return undefined
  const choices = others.map(
    (run) =>
      html`<option value="${run.id}"${run.id === comparedWith && html` selected`}>${minuteOf(run)} · ${subjectOf(run, language)}</option>`,
  )
  return html`<form class="compare" method="get" action="/runs/${record.id}">
<label for="with">${texts.compareWith}</label>
<select id="with" name="with">${choices}</select>
<button class="button small">${texts.compare}</button>
</form>`
}

function comparisonSection({ groups, isSameSelection }: Comparison, language: Language): SafeHtml {
  const texts = runTexts[language]
  const lists = groups.map(
    ({ kind, changes, more }) => html`<h3>${texts.changes[kind]}</h3>
<ul>${changes.map((change) => html`<li lang="en">${change.title} <code>${change.id}</code> <span class="soft">${describeChange(change)}</span></li>`)}${more > 0 && html`<li class="soft">${texts.more(more)}</li>`}</ul>`,
  )
  return html`<section class="card" aria-labelledby="changes">
<h2 id="changes">${texts.comparedTitle}</h2>
${!isSameSelection && html`<p class="warning">${texts.otherSelection}</p>`}
${lists.length === 0 ? html`<p>${texts.nothingChanged}</p>` : lists}
</section>`
}
