import { html } from '#core/html/html.ts'
import type { Reply } from '#kit/define-route.ts'
import type { ChainEvent } from '#kit/event-index.ts'
import { pageOfList } from '#kit/lists.ts'
import { consolePage, type Frame, shorten, shortened } from '../frame/page.ts'
import { frameTexts } from '../frame/sections.ts'
import type { Names } from '../names.ts'
import { keyCard } from './change-routes.ts'
import { changesTexts } from './changes-texts.ts'
import { timeline } from './events.ts'
import { pageLinks, sectionLinks, silence } from './page.ts'
import { shownItems } from './read-registries.ts'
import { registriesTexts } from './texts.ts'

export interface IdentifierPageOptions {
  readonly names: Names
  readonly did: string
  /** The whole history, oldest first. */
  readonly events: readonly ChainEvent[] | undefined
  /** The page of the history that is shown, from 1. */
  readonly page: number
  /** Unix seconds. */
  readonly now: number
  /** Whether the console holds the key of the DID. */
  readonly isOwn: boolean
}

/** The history of one DID, and its keys at any time. */
export function identifierPage(
  frame: Frame,
  { names, did, events, page: number, now, isOwn }: IdentifierPageOptions,
): Reply {
  const { language } = frame
  const texts = registriesTexts[language]
  const head = html`${sectionLinks(frame)}
<p>${shortened(language, did, 60)}</p>`
  const page = {
    title: names.of(did) ?? shorten(did, 20, 6),
    section: 'registries',
    style: 'registries.css',
  } as const
  if (events === undefined) {
    return consolePage(frame, {
      ...page,
      status: 404,
      body: html`${head}${silence(texts.noHistory)}`,
    })
  }
  const shown = { page: number, pageSize: shownItems }
  return consolePage(frame, {
    ...page,
    script: 'identifier.js',
    data: {
      did,
      stops: momentsOf(events, now),
      keys: keysOf(events),
      texts: texts.validity,
      changes: changesTexts[language].result,
      copy: frameTexts[language].copy,
      names: names.byDid,
    },
    body: html`${head}
<section class="card" aria-labelledby="validity-title">
<h2 id="validity-title">${texts.validity.title}</h2>
<p>${texts.validity.about}</p>
<div id="validity"></div>
</section>
${isOwn && keyCard(frame, did, keysOf(events))}
<section class="card">
<h2>${texts.history}</h2>
${timeline(frame, pageOfList(events, shown), { names })}${pageLinks(language, 'events', { ...shown, total: events.length })}
</section>`,
  })
}

/** The identifiers of the keys that a DID has had, oldest first. */
function keysOf(events: readonly ChainEvent[]): readonly string[] {
  const keys = events.flatMap(({ event, args: { vMethodId } }) =>
    event === 'VerificationMethodAdded' && typeof vMethodId === 'string' ? [vMethodId] : [],
  )
  return [...new Set(keys)]
}

type MomentKind = 'before' | 'changed' | 'begins' | 'ends' | 'now'

interface Moment {
  /** Unix seconds. */
  readonly time: number
  readonly kind: MomentKind
}

/** Dates of JavaScript end in the year 275760. */
const latestDate = 8_640_000_000_000

/**
 * The moments at which something changes for a DID, oldest first: one second before its
 * registration, its events, the begin and end of validities, and now. If several coincide, an event
 * comes before a validity, and now before both.
 */
function momentsOf(events: readonly ChainEvent[], now: number): readonly Moment[] {
  const moments = new Map<number, MomentKind>()
  const add = (time: number, kind: MomentKind) => {
    if (Number.isSafeInteger(time) && time >= 0 && time <= latestDate) moments.set(time, kind)
  }
  const read = (value: string | boolean | undefined) =>
    typeof value === 'string' ? Number(value) : Number.NaN
  for (const { args } of events) {
    // notAfter is the last second of a validity.
    add(read(args.notAfter) + 1, 'ends')
    add(read(args.oldNotAfter) + 1, 'ends')
    add(read(args.notBefore), 'begins')
  }
  for (const { blockTime } of events) add(blockTime, 'changed')
  const registered = events.find(({ event }) => event === 'FirstDidDocumentInserted')
  if (registered !== undefined) add(registered.blockTime - 1, 'before')
  add(now, 'now')
  return [...moments]
    .map(([time, kind]) => ({ time, kind }))
    .sort((one, other) => one.time - other.time)
}
