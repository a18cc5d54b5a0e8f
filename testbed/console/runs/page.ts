import { type PlanName, planNames } from '#conformance/kit/check.ts'
import { html } from '#core/html/html.ts'
import type { Reply } from '#kit/define-route.ts'
import { consolePage, type Frame } from '../frame/page.ts'
import { frameTexts } from '../frame/rooms.ts'
import type { SuiteEntry } from './inventory.ts'
import type { RunRecord } from './run-archive.ts'
import { currentRun, runTable } from './run-list.ts'
import { runTexts } from './texts.ts'

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
    title: frameTexts[language].rooms.conformance,
    room: 'conformance',
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
    title: frameTexts[language].rooms.suites,
    room: 'suites',
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
