import { html, type SafeHtml } from '#core/html/html.ts'
import type { Reply } from '#kit/define-route.ts'
import type { ChainEvent } from '#kit/event-index.ts'
import type { IssuerNodeJson } from '#services/tir/domain/issuers.ts'
import { consolePage, type Frame, scrollable, shortened } from '../frame/page.ts'
import type { EventPage, IssuerPage } from './read-registries.ts'

/** Arguments that people cannot read: hashes of the arguments next to them. */
const silent = new Set(['didHash', 'controllerHash'])
const times = new Set(['notBefore', 'notAfter', 'oldNotAfter'])

/** Unix seconds as text, to the second. */
function shownTime(seconds: number): string {
  const date = new Date(seconds * 1000)
  const isDate = Number.isFinite(date.getTime())
  return isDate ? date.toISOString().replace('T', ' ').replace('.000Z', ' UTC') : String(seconds)
}

/** A DID as a link to its history. */
function didLink(environment: string, did: string): SafeHtml {
  const href = `/registries/${environment}/identifiers/${encodeURIComponent(did)}`
  return html`<a href="${href}">${did}</a>`
}

/** A table of events; those of one transaction share its cells. */
function eventTable(frame: Frame, environment: string, { items }: EventPage): SafeHtml {
  return scrollable(
    'Events',
    html`<table>
<thead><tr><th>time</th><th>event</th><th>what</th><th>transaction</th><th>block</th></tr></thead>
<tbody>${groupByTransaction(items).map((group) => eventRows(frame, environment, group))}</tbody>
</table>`,
  )
}

/** An operation and the keys and uses that it adds are events of one transaction. */
function groupByTransaction(items: readonly ChainEvent[]): ChainEvent[][] {
  const groups: ChainEvent[][] = []
  for (const item of items) {
    const last = groups.at(-1)
    if (last?.[0]?.transactionHash === item.transactionHash) last.push(item)
    else groups.push([item])
  }
  return groups
}

function eventRows(frame: Frame, environment: string, group: readonly ChainEvent[]): SafeHtml[] {
  const rows = group.length
  return group.map((event, index) => {
    const isFirst = index === 0
    const args = Object.entries(event.args).filter(([name]) => !silent.has(name))
    return html`<tr>
${isFirst && html`<td class="time" rowspan="${rows}">${shownTime(event.blockTime)}</td>`}
<td>${event.event}</td>
<td class="what"><dl>${args.map(([name, value]) => argument(environment, name, String(value)))}</dl></td>
${isFirst && html`<td class="what" rowspan="${rows}">${shortened(frame.language, event.transactionHash)}</td>`}
${isFirst && html`<td class="number" rowspan="${rows}">${event.blockNumber}</td>`}
</tr>`
  })
}

function argument(environment: string, name: string, value: string): SafeHtml {
  const shown = times.has(name)
    ? shownTime(Number(value))
    : value.startsWith('did:')
      ? didLink(environment, value)
      : value
  return html`<dt>${name}</dt><dd>${shown}</dd>`
}

interface ListPage {
  readonly page: number
  readonly pageSize: number
  readonly total: number
}

/** Links to the previous and next page, if they exist; keeps the page of the `others`. */
export function pageLinks(
  name: string,
  { page, pageSize, total }: ListPage,
  others: Readonly<Record<string, ListPage | undefined>> = {},
): SafeHtml {
  const pages = Math.max(1, Math.ceil(total / pageSize))
  const kept = Object.entries(others).map(([other, list]) => [other, String(list?.page ?? 1)])
  const href = (number: number) =>
    `?${new URLSearchParams([...kept, [name, String(number)]] as [string, string][])}`
  return html`<p class="pages">${total} in all${pages > 1 && html`, page ${page} of ${pages}`}
${page > 1 && html`<a href="${href(Math.min(page - 1, pages))}" rel="prev">previous</a>`}
${page < pages && html`<a href="${href(page + 1)}" rel="next">next</a>`}</p>`
}

const deepestIndent = 8

export interface RegistriesPageOptions {
  readonly environment: string
  readonly issuers: IssuerPage | undefined
  readonly events: EventPage | undefined
}

/** Accreditations as a tree, and the latest events of the DID registry. */
export function registriesPage(
  frame: Frame,
  { environment, issuers, events }: RegistriesPageOptions,
): Reply {
  return consolePage(frame, {
    title: `Registries of ${environment}`,
    room: 'registries',
    style: 'registries.css',
    body: html`<section>
<h2>Trusted issuers</h2>
${issuers === undefined ? silence('TIR') : issuerTree(environment, issuers, events)}
</section>
<section>
<h2>DID registry events</h2>
${events === undefined ? silence('DID registry') : html`${eventTable(frame, environment, events)}${pageLinks('events', events, { issuers })}`}
</section>`,
  })
}

/** Shown instead of the data of a service that did not answer. */
function silence(service: string): SafeHtml {
  return html`<p>The ${service} does not answer.</p>`
}

function issuerTree(
  environment: string,
  issuers: IssuerPage,
  events: EventPage | undefined,
): SafeHtml {
  const tree = html`<table class="tree">
<thead><tr><th>issuer</th><th>type</th><th>attribute</th><th>revisions</th><th>published</th><th>revoked</th></tr></thead>
<tbody>${issuers.items.map((node) => issuerRow(environment, node))}</tbody>
</table>`
  return html`${scrollable('Trusted issuers', tree)}${pageLinks('issuers', issuers, { events })}`
}

function issuerRow(environment: string, node: IssuerNodeJson): SafeHtml {
  const { did, depth, issuerType, publishedAs, revokedAt } = node
  const type = issuerType === publishedAs ? issuerType : `${issuerType} (${publishedAs})`
  return html`<tr class="${revokedAt !== null && 'failed'}">
<td class="what depth-${Math.min(depth, deepestIndent)}">${didLink(environment, did)}</td>
<td>${type}</td>
<td class="what">${node.attributeId}</td>
<td class="number">${node.revisions}</td>
<td class="time">${shownTime(node.publishedAt)}</td>
<td class="time">${revokedAt !== null && shownTime(revokedAt)}</td>
</tr>`
}

export interface IdentifierPageOptions {
  readonly environment: string
  readonly did: string
  readonly events: EventPage | undefined
}

/** The history of one DID. */
export function identifierPage(
  frame: Frame,
  { environment, did, events }: IdentifierPageOptions,
): Reply {
  return consolePage(frame, {
    status: events === undefined ? 404 : 200,
    title: did,
    room: 'registries',
    style: 'registries.css',
    body: html`<p><a href="/registries/${environment}">Registries of ${environment}</a></p>
<section>
<h2>History</h2>
${events === undefined ? html`<p>The DID registry has no events of this DID.</p>` : html`${eventTable(frame, environment, events)}${pageLinks('events', events)}`}
</section>`,
  })
}
