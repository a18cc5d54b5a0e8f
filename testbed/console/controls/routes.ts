import { z } from 'zod'
import { html, type SafeHtml } from '#core/html/html.ts'
import { displayTime } from '#core/text/display-time.ts'
import { type AnyRoute, defineRoute, type Reply } from '#kit/define-route.ts'
import type { FaultName } from '#kit/runtime.ts'
import { type Failure, zFailure } from '#services/management/domain/failures.ts'
import type { MiningMode } from '#testbed/chain/create-ledger.ts'
import type { SavedSnapshot } from '#testbed/control/create-snapshot-store.ts'
import { advanceTime } from '#testbed/control/routes/clock-and-mining.ts'
import { foreignManagementUrlOf } from '#testbed/services/environment-context.ts'
import type { RunningEnvironment } from '#testbed/services/start-environment.ts'
import type { ConsoleDependencies } from '../dependencies.ts'
import { readBlockNumber } from '../frame/block-number.ts'
import { definePage } from '../frame/define-page.ts'
import { describeDuration, formatUnit, readManagementFailure } from '../frame/modifications.ts'
import { consolePage, type Frame } from '../frame/page.ts'
import { frameTexts } from '../frame/sections.ts'
import { controlsTexts, type TimeUnit } from './texts.ts'

async function readManagement(running: RunningEnvironment) {
  if (foreignManagementUrlOf(running.context) !== undefined) return undefined
  const { organizations } = running.context
  return { failure: await readManagementFailure(running), organizations }
}

async function readMiningState(running: RunningEnvironment) {
  const { chainProcess } = running
  if (chainProcess === undefined) return undefined
  const [mode, block] = await Promise.all([chainProcess.readMining(), readBlockNumber(running)])
  return { mode, block }
}

const showControls = definePage({
  path: '/controls',
  section: 'controls',
  summary: 'Clock, faults, mining and snapshots',
  async render({ frame, running }, { clock, snapshots }) {
    const [management, mining] = await Promise.all([
      readManagement(running),
      readMiningState(running),
    ])
    return controlsPage(frame, {
      now: clock.milliseconds(),
      clockOffset: clock.offset,
      faults: running.context.runtime.faults.list(),
      management,
      mining,
      snapshots: snapshots.list(),
    })
  },
})

const secondsOf: Readonly<Record<TimeUnit, number>> = { minutes: 60, hours: 3600, days: 86_400 }

/** The control interface takes seconds; people think in units. */
const moveClock = defineRoute<ConsoleDependencies>()({
  method: 'post',
  path: '/console/clock',
  summary: 'Move the clock forward by an amount of a unit',
  auth: 'control',
  documented: false,
  request: {
    body: z.strictObject({
      amount: z.int().min(1).max(5000),
      unit: z.enum(['minutes', 'hours', 'days']),
    }),
  },
  responses: { 204: { description: 'The clock has moved' } },
  errors: ['invalid_request', 'foreign_chain'],
  async handle({ body: { amount, unit } }, dependencies) {
    await advanceTime(dependencies, amount * secondsOf[unit])
    return { status: 204 }
  },
})

export const controlsRoutes: readonly AnyRoute<ConsoleDependencies>[] = [showControls, moveClock]

interface ControlsPageOptions {
  /** Unix milliseconds of the testbed, and the difference from real time. */
  readonly now: number
  readonly clockOffset: number
  readonly faults: readonly { readonly name: FaultName; readonly active: boolean }[]
  /** Absent for a management API that the testbed does not control. */
  readonly management:
    | {
        readonly failure: Failure | undefined
        readonly organizations: readonly NamedOrganization[]
      }
    | undefined
  /** Absent for a chain that the testbed does not control. */
  readonly mining: { readonly mode: MiningMode; readonly block: number | undefined } | undefined
  readonly snapshots: readonly SavedSnapshot[]
}

interface NamedOrganization {
  readonly organizationIdentifier: string
  readonly organization: string
}

/** Controls of the clock, faults, management API, mining and snapshots. */
function controlsPage(frame: Frame, options: ControlsPageOptions): Reply {
  const { language } = frame
  const { clockOffset } = options
  return consolePage(frame, {
    title: frameTexts[language].sections.controls,
    section: 'controls',
    script: 'controls.js',
    style: 'controls.css',
    data: { clockOffset },
    body: html`<p class="lead">${controlsTexts[language].lead}</p>
<div class="columns controls">
<div>${clockCard(frame, options)}${miningCard(frame, options)}${managementCard(frame, options)}${snapshotCard(frame, options)}</div>
<div>${faultCard(frame, options)}</div>
</div>`,
  })
}

interface ActionOptions {
  /** Method and path. */
  readonly call: string
  readonly text: string
  /** For screen readers, if several buttons have this text. */
  readonly label?: string
  readonly kind?: 'primary' | 'danger' | ''
}

/** A button that makes one call. */
function action(id: string, { call, text, label, kind = '' }: ActionOptions): SafeHtml {
  return html`<form id="${id}" data-call="${call}"><button class="button small ${kind}"${label && html` aria-label="${label}"`}>${text}</button></form>`
}

const steps = [
  { count: 1, unit: 'hour', seconds: 3600 },
  { count: 1, unit: 'day', seconds: 86_400 },
  { count: 30, unit: 'day', seconds: 30 * 86_400 },
  { count: 1, unit: 'year', seconds: 366 * 86_400 },
] as const

function clockCard({ language }: Frame, options: ControlsPageOptions): SafeHtml {
  const { now, clockOffset, mining } = options
  const { clock, foreignChain } = controlsTexts[language]
  const duration = describeDuration(language, clockOffset / 1000)
  const isMoved = Math.round(clockOffset / 1000) !== 0
  const iso = new Date(now).toISOString()
  return html`<section class="card" aria-labelledby="clock">
<h2 id="clock">${clock.title}</h2>
<p>${clock.about}</p>
<p class="row"><span>${clock.now}:</span> <time id="now" datetime="${iso}">${displayTime(iso)}</time>
<span class="badge ${isMoved ? 'wait' : 'good'}">${isMoved ? clock.ahead(duration) : clock.real}</span></p>
${
  mining === undefined
    ? html`<p class="soft">${foreignChain}</p>`
    : html`<h3>${clock.forward}</h3>
<div class="actions">${steps.map(({ count, unit, seconds }) => {
        const text = `+ ${formatUnit(language, count, unit)}`
        return html`<form id="clock-${seconds}" data-call="POST /control/clock"><input type="number" name="advance_seconds" value="${seconds}" hidden><button class="button small">${text}</button></form>`
      })}</div>
<form id="clock-custom" class="inline" data-call="POST /console/clock">
<p><label for="amount">${clock.amount}</label><input id="amount" name="amount" type="number" min="1" max="5000" value="1" required></p>
<p><label for="unit">${clock.unit}</label><select id="unit" name="unit">${Object.entries(clock.units).map(([unit, text]) => html`<option value="${unit}">${text}</option>`)}</select></p>
<button class="button small">${clock.move}</button>
</form>
${isMoved && html`${action('clock-reset', { call: 'DELETE /control/clock', text: clock.reset, kind: 'primary' })}<p class="small soft">${clock.resetAbout}</p>`}`
}
</section>`
}

function faultCard({ language, environment }: Frame, { faults }: ControlsPageOptions): SafeHtml {
  const texts = controlsTexts[language].faults
  const rows = faults.map(({ name, active }) => {
    const method = active ? 'DELETE' : 'PUT'
    const text = active ? texts.end : texts.start
    return html`<li class="row apart${active && ' active'}">
<div><p><code>${name}</code> <span class="badge ${active && 'bad'}">${active ? texts.on : texts.off}</span></p>
<p class="soft">${texts.names[name]}</p></div>
${action(`fault-${name}`, { call: `${method} /control/${environment}/faults/${name}`, text, label: `${text}: ${name}` })}
</li>`
  })
  return html`<section class="card" aria-labelledby="faults">
<h2 id="faults">${texts.title}</h2>
<p>${texts.about}</p>
<ul class="list faults">${rows}</ul>
</section>`
}

function managementCard(
  { language, environment }: Frame,
  { management }: ControlsPageOptions,
): SafeHtml {
  const texts = controlsTexts[language].management
  const path = `/control/${environment}/management-failure`
  const content = () => {
    if (management === undefined) return html`<p class="soft">${texts.foreign}</p>`
    const { failure, organizations } = management
    if (failure !== undefined) {
      const { failure: name, organization_identifier: identifier } = failure
      const organization =
        organizations.find((each) => each.organizationIdentifier === identifier)?.organization ??
        identifier ??
        texts.all
      return html`<p class="warning">${texts.active(texts.names[name], organization)}</p>
${action('management-end', { call: `DELETE ${path}`, text: texts.end, kind: 'primary' })}`
    }
    return html`<p><span class="badge good">${texts.none}</span></p>
<form id="management-start" data-call="PUT ${path}">
<label for="failure">${texts.failure}</label>
<select id="failure" name="failure">${zFailure.shape.failure.options.map((name) => html`<option value="${name}">${texts.names[name]}</option>`)}</select>
<label for="organization">${texts.organization}</label>
<select id="organization" name="organization_identifier"><option value="">${texts.all}</option>${organizations.map((each) => html`<option value="${each.organizationIdentifier}">${each.organization}</option>`)}</select>
<label for="seconds">${texts.seconds}</label>
<input id="seconds" name="seconds" type="number" min="0" max="600" value="30">
<button class="button small">${texts.start}</button>
</form>`
  }
  return html`<section class="card" aria-labelledby="management">
<h2 id="management">${texts.title}</h2>
<p>${texts.about}</p>
${content()}
</section>`
}

function miningCard({ language, environment }: Frame, { mining }: ControlsPageOptions): SafeHtml {
  const { mining: texts, foreignChain } = controlsTexts[language]
  const path = `/control/${environment}/mining`
  const content = () => {
    if (mining === undefined) return html`<p class="soft">${foreignChain}</p>`
    const { mode, block } = mining
    const isHeld = mode === 'manual'
    const state =
      mode === 'auto' ? texts.auto : isHeld ? texts.manual : texts.interval(Number(mode))
    return html`<p class="row"><span class="badge ${isHeld ? 'wait' : 'good'}">${state}</span> ${block !== undefined && html`<span class="soft">${texts.block(block)}</span>`}</p>
<div class="actions">
<form id="mining" data-call="PUT ${path}"><input name="mode" value="${isHeld ? 'auto' : 'manual'}" hidden><button class="button small${isHeld && ' primary'}">${isHeld ? texts.release : texts.hold}</button></form>
${action('mine', { call: `POST ${path}`, text: texts.mine })}
</div>`
  }
  return html`<section class="card" aria-labelledby="mining-title">
<h2 id="mining-title">${texts.title}</h2>
<p>${texts.about}</p>
${content()}
</section>`
}

function snapshotCard({ language }: Frame, { snapshots }: ControlsPageOptions): SafeHtml {
  const texts = controlsTexts[language].snapshots
  const rows = snapshots.map(({ id, savedAt }, index) => {
    const name = texts.name(displayTime(new Date(savedAt * 1000).toISOString()))
    return html`<li>
<p><strong>${index + 1}.</strong> ${name}</p>
<div class="actions">
<details><summary>${texts.restore}…</summary><p class="small">${texts.restoreAbout}</p>
${action(`restore-${index}`, { call: `POST /control/snapshots/${id}/restore`, text: texts.restore, label: `${texts.restore}: ${name}`, kind: 'primary' })}</details>
${action(`delete-${index}`, { call: `DELETE /control/snapshots/${id}`, text: texts.remove, label: `${texts.remove}: ${name}`, kind: 'danger' })}
</div>
</li>`
  })
  return html`<section class="card" aria-labelledby="snapshots">
<h2 id="snapshots">${texts.title}</h2>
<p>${texts.about}</p>
${action('snapshot-create', { call: 'POST /control/snapshots', text: texts.create })}
${rows.length === 0 ? html`<p class="soft">${texts.none}</p>` : html`<ol class="list snapshots">${rows}</ol>`}
</section>`
}
