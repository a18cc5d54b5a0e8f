import { html, type SafeHtml } from '#core/html/html.ts'
import type { ChainEvent } from '#kit/event-index.ts'
import { type Frame, scrollable, shortened } from '../frame/page.ts'
import { didName, type Names } from '../names.ts'
import { registriesTexts } from './texts.ts'

const times = new Set(['notBefore', 'notAfter', 'oldNotAfter'])
const hashes = new Set(['vMethodId', 'oldVMethodId', 'attributeId', 'attributeIdTao'])

/** Unix seconds as text, to the second. */
export function shownTime(seconds: number): string {
  const date = new Date(seconds * 1000)
  const isDate = Number.isFinite(date.getTime())
  return isDate ? date.toISOString().replace('T', ' ').replace('.000Z', ' UTC') : String(seconds)
}

/** Inserts markup for the names in braces; a name without a value remains. */
export function fillHtml(text: string, values: Readonly<Record<string, unknown>>): SafeHtml {
  const parts = text.split(/\{(\w+)\}/)
  return html`${parts.map((part, index) => (index % 2 === 0 ? part : (values[part] ?? `{${part}}`)))}`
}

/** A value of an event or a call for people: times, names of DIDs and accounts, short hashes. */
function shownArgument(frame: Frame, names: Names, name: string, value: string): SafeHtml {
  if (times.has(name)) return html`<span class="time">${shownTime(Number(value))}</span>`
  if (value.startsWith('did:')) return didName(frame, names, value)
  const known = names.of(value.replace('urn:oid:organizationIdentifier:', ''))
  if (known !== undefined) return html`${known} ${shortened(frame.language, value)}`
  if (hashes.has(name) || /^0x[0-9a-f]{40,}$/i.test(value)) return shortened(frame.language, value)
  return html`<span class="anywhere">${value}</span>`
}

/** What an event of a registry means. */
function describeEvent(frame: Frame, names: Names, { event, args }: ChainEvent): SafeHtml {
  const { sentences } = registriesTexts[frame.language]
  const isRevocation = event === 'AttributeMetadataSet' && args.issuerType === 'REVOKED'
  const sentence = sentences[isRevocation ? 'AttributeRevoked' : event] ?? ''
  const shown = Object.entries(args).map(([name, value]) => [
    name,
    shownArgument(frame, names, name, String(value)),
  ])
  return fillHtml(sentence, Object.fromEntries(shown))
}

export interface EventTableOptions {
  readonly names: Names
  readonly label: string
  /** Whether the events are of several DIDs. */
  readonly withDid?: boolean
}

/** A table of events; those of one transaction share its cells. */
export function eventTable(
  frame: Frame,
  items: readonly ChainEvent[],
  options: EventTableOptions,
): SafeHtml {
  const { columns } = registriesTexts[frame.language]
  const { label, withDid } = options
  return scrollable(
    label,
    html`<table>
<thead><tr><th>${columns.time}</th>${withDid && html`<th>${columns.did}</th>`}<th>${columns.event}</th><th>${columns.what}</th><th>${columns.transaction}</th><th class="number">${columns.block}</th></tr></thead>
<tbody>${groupByTransaction(items).map((group) => eventRows(frame, group, options))}</tbody>
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

function eventRows(
  frame: Frame,
  group: readonly ChainEvent[],
  { names, withDid }: EventTableOptions,
): SafeHtml[] {
  const rows = group.length
  return group.map((event, index) => {
    const isFirst = index === 0
    const { did } = event.args
    return html`<tr>
${isFirst && html`<td class="time" rowspan="${rows}">${shownTime(event.blockTime)}</td>`}
${withDid && html`<td>${typeof did === 'string' && didName(frame, names, did)}</td>`}
<td>${event.event}</td>
<td>${describeEvent(frame, names, event)}</td>
${isFirst && html`<td rowspan="${rows}">${shortened(frame.language, event.transactionHash)}</td>`}
${isFirst && html`<td class="number" rowspan="${rows}">${event.blockNumber}</td>`}
</tr>`
  })
}
