import { enumerationWord } from '#core/contracts/decode-abi.ts'
import { html, type SafeHtml } from '#core/html/html.ts'
import type { ChainEvent } from '#kit/event-index.ts'
import { copyButton, type Frame, shorten, shortened } from '../frame/page.ts'
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
export function shownArgument(frame: Frame, names: Names, name: string, value: string): SafeHtml {
  // The contract's arguments have a key's identifier as bytes, the registry's events as base64url.
  if (/vMethodId$/i.test(name) && value.startsWith('0x')) {
    const id = Buffer.from(value.slice(2), 'hex').toString('base64url')
    return shortened(frame.language, id)
  }
  const word = enumerationWord(name, value)
  if (word !== undefined) return html`${word}`
  if (times.has(name)) return html`<span class="time">${shownTime(Number(value))}</span>`
  if (value.startsWith('did:')) return didName(frame, names, value)
  const known = names.of(value.replace('urn:oid:organizationIdentifier:', ''))
  if (known !== undefined) return html`${known} ${shortened(frame.language, value)}`
  if (hashes.has(name) || /^0x[0-9a-f]{40,}$/i.test(value)) return shortened(frame.language, value)
  return html`<span class="anywhere">${value}</span>`
}

/** What an event of a registry means. */
export function describeEvent(frame: Frame, names: Names, { event, args }: ChainEvent): SafeHtml {
  const { sentences } = registriesTexts[frame.language]
  const isRevocation = event === 'AttributeMetadataSet' && args.issuerType === 'REVOKED'
  const sentence = sentences[isRevocation ? 'AttributeRevoked' : event] ?? ''
  const shown = Object.entries(args).map(([name, value]) => [
    name,
    shownArgument(frame, names, name, String(value)),
  ])
  return fillHtml(sentence, Object.fromEntries(shown))
}

/** The hash of a transaction as a link to its page, with a button that copies it. */
export function transactionLink({ language, environment }: Frame, hash: string): SafeHtml {
  const short = shorten(hash)
  return html`<span class="hash"><a href="/registries/${environment}/transactions/${hash}"><code>${short}</code></a>${copyButton(language, hash, short)}</span>`
}

export interface TimelineOptions {
  readonly names: Names
  /** Whether the events are of several DIDs. */
  readonly withDid?: boolean
}

/** Transactions with what each of them changed, in the order of the events. */
export function timeline(
  frame: Frame,
  items: readonly ChainEvent[],
  { names, withDid }: TimelineOptions,
): SafeHtml {
  const { columns } = registriesTexts[frame.language]
  const entries = groupByTransaction(items).map((group) => {
    const [first] = group
    const did = group.map(({ args }) => args.did).find((value) => typeof value === 'string')
    return html`<li>
<p class="row when"><span class="time">${shownTime(first?.blockTime ?? 0)}</span>
<span class="soft">${columns.block} ${first?.blockNumber}</span>
${transactionLink(frame, first?.transactionHash ?? '')}</p>
${withDid && did !== undefined && html`<p>${didName(frame, names, did)}</p>`}
<ul class="list">${group.map((event) => html`<li>${describeEvent(frame, names, event)} <code class="event">${event.event}</code></li>`)}</ul>
</li>`
  })
  return html`<ol class="list timeline">${entries}</ol>`
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
