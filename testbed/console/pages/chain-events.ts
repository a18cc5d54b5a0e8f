import { html, type SafeHtml } from '#core/html/html.ts'
import type { ChainEvent } from '#kit/event-index.ts'
import type { EventPage } from '../read-registries.ts'
import { scrollable } from './scrollable.ts'

/** Arguments that tell nothing to people: hashes of what stands beside them. */
const silent = new Set(['didHash', 'controllerHash'])
const times = new Set(['notBefore', 'notAfter', 'oldNotAfter'])

/** Unix seconds as text, to the second. */
export function shownTime(seconds: number): string {
  const date = new Date(seconds * 1000)
  const isDate = Number.isFinite(date.getTime())
  return isDate ? date.toISOString().replace('T', ' ').replace('.000Z', ' UTC') : String(seconds)
}

/** A DID that leads to its history. */
export function didLink(environment: string, did: string): SafeHtml {
  const href = `/registries/${environment}/identifiers/${encodeURIComponent(did)}`
  return html`<a href="${href}">${did}</a>`
}

/** A table of events; those of one transaction share its cells. */
export function eventTable(environment: string, { items }: EventPage): SafeHtml {
  return scrollable(
    'Events',
    html`<table>
<thead><tr><th>time</th><th>event</th><th>what</th><th>transaction</th><th>block</th></tr></thead>
<tbody>${groupByTransaction(items).map((group) => eventRows(environment, group))}</tbody>
</table>`,
  )
}

/** An operation and the keys and uses that it brings are events of one transaction. */
function groupByTransaction(items: readonly ChainEvent[]): ChainEvent[][] {
  const groups: ChainEvent[][] = []
  for (const item of items) {
    const last = groups.at(-1)
    if (last?.[0]?.transactionHash === item.transactionHash) last.push(item)
    else groups.push([item])
  }
  return groups
}

function eventRows(environment: string, group: readonly ChainEvent[]): SafeHtml[] {
  const rows = group.length
  return group.map((event, index) => {
    const isFirst = index === 0
    const args = Object.entries(event.args).filter(([name]) => !silent.has(name))
    return html`<tr>
${isFirst && html`<td class="time" rowspan="${rows}">${shownTime(event.blockTime)}</td>`}
<td>${event.event}</td>
<td class="what"><dl>${args.map(([name, value]) => argument(environment, name, String(value)))}</dl></td>
${isFirst && html`<td class="what" rowspan="${rows}">${event.transactionHash}</td>`}
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

/** Links to the pages before and after one, where there are any; `others` stay where they are. */
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
