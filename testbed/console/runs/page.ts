import { type PlanName, planNames } from '#conformance/kit/check.ts'
import { type DrawnLink, drawLink } from '#conformance/targets/adapters/person/tasks.ts'
import { html, type SafeHtml, timeElement } from '#core/html/html.ts'
import { displayTime } from '#core/text/display-time.ts'
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
import { consolePage, type Frame, scrollable } from '../frame/page.ts'
import { frameTexts } from '../frame/sections.ts'
import type { SuiteEntry } from './inventory.ts'
import { progressTexts } from './progress-texts.ts'
import type { RunArchive, RunRecord } from './run-archive.ts'
import type { NumberedEvent } from './runs.ts'
import { runTexts } from './texts.ts'

/** What a run was about: the plan, or the suites. */
function titleOf({ plan }: Pick<RunRecord, 'plan'>, language: Language): string {
  const texts = runTexts[language]
  return plan === undefined ? texts.suiteRun : texts.planRun(texts.plans[plan].name)
}

/** The name of the system under test, which a person has typed. */
const subjectOf = ({ kind, subject }: RunRecord, language: Language): string =>
  kind === 'conformance' && subject === 'self' ? runTexts[language].self : subject

const tones = {
  failed: 'bad',
  warned: 'wait',
  inconclusive: 'wait',
  skipped: 'wait',
  passed: 'good',
} as const satisfies Record<keyof RunRecord['tally'], string>

/** The state of a run if it did not end by itself, and its results by verdict. */
function tallyBadges({ state, tally }: RunRecord, language: Language): SafeHtml {
  const { counts, states } = runTexts[language]
  const names = Object.keys(tones) as (keyof typeof tones)[]
  const shown = names.filter((name) => tally[name] > 0)
  const stateTone = state === 'failed' || state === 'undecided' ? 'bad' : 'wait'
  return html`${state !== 'ended' && html`<span class="badge ${stateTone}">${states[state]}</span> `}${shown.map((name) => html`<span class="badge ${tones[name]}">${counts[name](tally[name])}</span> `)}`
}

/** `2026-11-23 02:54 UTC`, as text. */
const minuteOf = ({ startedAt }: RunRecord) => displayTime(startedAt, 'minute')

/** Deletes a run after a question. @param next the page that opens then; by default the same */
function deleteForm(run: RunRecord, language: Language, next?: string): SafeHtml {
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
function runTable(runs: readonly RunRecord[], language: Language): SafeHtml {
  const { columns, earlier, none } = runTexts[language]
  const rows = runs.map(
    (run) =>
      html`<tr><td class="time">${timeElement(run.startedAt, 'minute')}</td><td><a href="/runs/${run.id}">${titleOf(run, language)}</a></td><td>${subjectOf(run, language)}</td><td>${tallyBadges(run, language)}</td><td class="remove">${run.state !== 'running' && deleteForm(run, language)}</td></tr>`,
  )
  const heads = [columns.time, columns.what, columns.subject, columns.result, columns.actions]
  const table = html`<table><thead><tr>${heads.map((head) => html`<th scope="col">${head}</th>`)}</tr></thead><tbody>${rows}</tbody></table>`
  return html`<section class="card">
<h2>${earlier}</h2>
${rows.length === 0 ? html`<p class="soft">${none}</p>` : scrollable(earlier, table)}
</section>`
}

export interface ConformancePageOptions {
  readonly current: RunRecord | undefined
  readonly runs: readonly RunRecord[]
  readonly checks: Readonly<Record<PlanName, number>>
}

/** The plans, each with a run against the testbed's own part, and earlier runs. */
export function conformancePage(
  frame: Frame,
  { current, runs, checks }: ConformancePageOptions,
): Reply {
  const { language } = frame
  const texts = runTexts[language]
  const tiles = planNames.map((plan) => {
    const { name, about } = texts.plans[plan]
    return html`<li class="card plan">
<h2>${name}</h2>
<p>${about}</p>
<p class="soft small">${texts.checks(checks[plan])}</p>
<div class="actions">
<form id="self-${plan}" data-call="POST /console/self-runs"><input type="hidden" name="plan" value="${plan}"><button class="button small" aria-label="${texts.runSelf}: ${name}"${current !== undefined && html` disabled`}>${texts.runSelf}</button></form>
<a class="button small" href="/conformance/${plan}" aria-label="${texts.testOther}: ${name}">${texts.testOther}</a>
</div>
</li>`
  })
  return consolePage(frame, {
    title: frameTexts[language].sections.conformance,
    section: 'conformance',
    style: 'runs.css',
    body: html`<p class="lead">${texts.conformanceLead}</p>
${currentRun(current, language)}
<ul class="list tiles plans">${tiles}</ul>
${runTable(runs, language)}`,
  })
}

export interface SuitesPageOptions {
  readonly current: RunRecord | undefined
  readonly runs: readonly RunRecord[]
  readonly suites: readonly SuiteEntry[]
}

/** The suites to choose from, where to run them, and earlier runs. */
export function suitesPage(frame: Frame, { current, runs, suites }: SuitesPageOptions): Reply {
  const { language } = frame
  const texts = runTexts[language]
  const choices = suites.map(
    ({ name, scenarios }) =>
      html`<li><label class="choice"><input type="checkbox" name="${name}"> <span><code>${name}</code> <span class="soft small">${texts.scenarios(scenarios)}</span></span></label></li>`,
  )
  const place = (value: string, name: string, about: string, isChosen: boolean) =>
    html`<label class="choice"><input type="radio" name="testbed" value="${value}"${isChosen && html` checked`}> <span>${name}<br><span class="soft small">${about}</span></span></label>`
  return consolePage(frame, {
    title: frameTexts[language].sections.suites,
    section: 'suites',
    style: 'runs.css',
    script: 'suites.js',
    body: html`<p class="lead">${texts.suitesLead}</p>
${currentRun(current, language)}
<form class="card" id="suites" data-call="POST /console/suite-runs">
<fieldset>
<legend>${texts.chooseSuites}</legend>
<label class="choice"><input type="checkbox" id="all-suites"> <strong>${texts.all}</strong></label>
<ul class="list choices-grid">${choices}</ul>
</fieldset>
<fieldset>
<legend>${texts.where}</legend>
${place('separate', texts.separate, texts.separateAbout, true)}
${place('here', texts.here, texts.hereAbout, false)}
</fieldset>
<button class="button primary"${current !== undefined && html` disabled`}>${texts.start}</button>
</form>
${runTable(runs, language)}`,
  })
}

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

interface RunPageOptions {
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
    section: record.kind,
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
    body: html`<p class="lead">${subjectOf(record, language)} · ${timeElement(record.startedAt, 'minute')}</p>
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
