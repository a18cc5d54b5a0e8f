import { html, type SafeHtml } from '#core/html/html.ts'
import { type Frame, shortened } from '../frame/page.ts'
import type { IssuedRecord } from './issuer-api.ts'
import { organizationOf, type PortalDesk, type PortalUser } from './portal-desk.ts'
import { portalTexts } from './texts.ts'

export interface RecordQuery {
  readonly state?: IssuedRecord['status'] | undefined
  /** From 1. */
  readonly page: number
}

const pageSize = 25
const statuses = ['pending', 'issued', 'revoked', 'expired'] as const

/** The credentials of the organization: who, in which state and why, with a way to revoke. */
export function recordSection(
  frame: Frame,
  user: PortalUser,
  desk: PortalDesk,
  records: readonly IssuedRecord[],
  { state, page }: RecordQuery,
): SafeHtml {
  const texts = portalTexts[frame.language]
  const matching = records.filter(({ status }) => state === undefined || status === state)
  const shown = matching.slice((page - 1) * pageSize, page * pageSize)
  const heading = `${texts.records} ${user.signedIn.claims.organization ?? organizationOf(user)}`
  const addressOf = (wanted: RecordQuery['state'], number: number) => {
    const query = new URLSearchParams({ env: frame.environment })
    if (wanted !== undefined) query.set('state', wanted)
    if (number > 1) query.set('page', String(number))
    return `/portal?${query}#records`
  }
  const filter = (wanted: RecordQuery['state'], label: string) =>
    html`<a href="${addressOf(wanted, 1)}"${wanted === state && html` aria-current="true"`}>${label}</a>`
  return html`<h2>${heading}</h2>
<p class="soft">${texts.recordsLead}</p>
<p class="filters" role="group" aria-label="${texts.filter}">${filter(undefined, texts.all)}${statuses.map((each) => filter(each, texts.states[each]))}</p>
${
  shown.length === 0
    ? html`<p>${texts.noRecords}</p>`
    : html`<ul class="list records">${shown.map((record) => recordEntry(frame, desk, record))}</ul>`
}
<p class="actions">
${page > 1 && html`<a class="button small" href="${addressOf(state, page - 1)}">${texts.newer}</a>`}
${matching.length > page * pageSize && html`<a class="button small" href="${addressOf(state, page + 1)}">${texts.older}</a>`}
</p>`
}

const colours = { pending: 'wait', issued: 'good', revoked: 'bad', expired: 'bad' } as const

function recordEntry(frame: Frame, desk: PortalDesk, record: IssuedRecord): SafeHtml {
  const { language } = frame
  const texts = portalTexts[language]
  const { status, vc_type: type, credential_id: id } = record
  const holder = desk.holderOf(id)
  const person =
    holder === undefined
      ? html`<span class="soft">${texts.unknownPerson}</span>`
      : html`<strong>${holder.name}</strong><span class="soft">${holder.email}</span>`
  return html`<li data-credential="${id}">
<div class="lines">${person}</div>
<div class="lines"><span><span class="badge ${colours[status]}">${texts.states[status]}</span> ${texts.stateReasons[status]}</span>
<span class="soft">${texts.changed} ${timeOf(record.update_at)}</span></div>
<div class="lines"><span>${type}</span>${shortened(language, id, 15, 4)}
<span class="soft">${texts.created} ${timeOf(record.creation_at)}</span></div>
<div>${(status === 'pending' || status === 'issued') && revocation(frame, id)}</div>
</li>`
}

/** Revocation cannot be undone, so it takes two steps. */
function revocation({ language, environment }: Frame, id: string): SafeHtml {
  const texts = portalTexts[language]
  return html`<details class="revoke"><summary class="button small danger">${texts.revoke}</summary>
<form class="revocation" data-call="POST /console/portal/${environment}/revocations">
<p>${texts.revokeLead}</p>
<input type="hidden" name="credential_id" value="${id}">
<button class="button small danger">${texts.revokeNow}</button>
</form></details>`
}

/** `2026-11-23 10:00:00 UTC` */
function timeOf(iso: string): SafeHtml {
  return html`<time datetime="${iso}">${iso.slice(0, 19).replace('T', ' ')} UTC</time>`
}
