import { html, type SafeHtml } from '#core/html/html.ts'
import type { Reply } from '#kit/define-route.ts'
import type { Language } from '#kit/language.ts'
import type { IssuerNodeJson } from '#services/tir/domain/issuers.ts'
import { consolePage, type Frame, scrollable, shortened } from '../frame/page.ts'
import { didName, type Names } from '../names.ts'
import { fillHtml, shownTime, timeline, transactionLink } from './events.ts'
import type { EventPage, IssuerPage } from './read-registries.ts'
import { registriesTexts } from './texts.ts'

interface ListPage {
  readonly page: number
  readonly pageSize: number
  readonly total: number
}

/** Links to the previous and next page, if they exist; keeps the page of the `others`. */
export function pageLinks(
  language: Language,
  name: string,
  { page, pageSize, total }: ListPage,
  others: Readonly<Record<string, ListPage | undefined>> = {},
): SafeHtml {
  const texts = registriesTexts[language].pages
  const pages = Math.max(1, Math.ceil(total / pageSize))
  const kept = Object.entries(others).map(([other, list]) => [other, String(list?.page ?? 1)])
  const href = (number: number) =>
    `?${new URLSearchParams([...kept, [name, String(number)]] as [string, string][])}`
  return html`<p class="pages">${fillHtml(texts.total, { total })}${pages > 1 && html`, ${fillHtml(texts.position, { page, pages })}`}
${page > 1 && html`<a href="${href(Math.min(page - 1, pages))}" rel="prev">${texts.previous}</a>`}
${page < pages && html`<a href="${href(page + 1)}" rel="next">${texts.next}</a>`}</p>`
}

const deepestIndent = 8

export interface RegistriesPageOptions {
  readonly names: Names
  readonly issuers: IssuerPage | undefined
  readonly events: EventPage | undefined
  /** When accreditations end, by attribute id. */
  readonly expiries: ReadonlyMap<string, number> | undefined
  /** Unix seconds. */
  readonly now: number
}

/** Accreditations as a tree, and the latest events of the DID registry. */
export function registriesPage(frame: Frame, options: RegistriesPageOptions): Reply {
  const { language, environment } = frame
  const { names, issuers, events } = options
  const texts = registriesTexts[language]
  return consolePage(frame, {
    title: String(fillHtml(texts.title, { environment })),
    section: 'registries',
    style: 'registries.css',
    body: html`<p class="lead">${texts.lead}</p>
${sectionLinks(frame, 'registries')}
<section class="card">
<h2>${texts.trustChain}</h2>
${issuers === undefined ? silence(texts.silent.tir) : html`${issuerTree(frame, issuers, options)}${pageLinks(language, 'issuers', issuers, { events })}`}
</section>
<section class="card">
<h2>${texts.events}</h2>
${events === undefined ? silence(texts.silent.didRegistry) : html`${timeline(frame, events.items, { names, withDid: true })}${pageLinks(language, 'events', events, { issuers })}`}
</section>`,
  })
}

/** Shown instead of the data of a service that did not answer. */
export function silence(text: string): SafeHtml {
  return html`<p class="warning">${text}</p>`
}

type TreeOptions = Pick<RegistriesPageOptions, 'names' | 'expiries' | 'now'>

function issuerTree(frame: Frame, { items }: IssuerPage, options: TreeOptions): SafeHtml {
  const { trustChain, columns } = registriesTexts[frame.language]
  const states = statesOf(items, options)
  return scrollable(
    trustChain,
    html`<table class="tree">
<thead><tr><th>${columns.issuer}</th><th>${columns.role}</th><th>${columns.state}</th><th>${columns.accreditation}</th><th class="number">${columns.revisions}</th><th>${columns.published}</th><th>${columns.until}</th></tr></thead>
<tbody>${items.map((node, index) => issuerRow(frame, node, states[index] ?? 'active', options))}</tbody>
</table>`,
  )
}

type IssuerState = 'active' | 'revoked' | 'expired' | 'broken'
const kinds = { active: 'good', revoked: 'bad', expired: 'bad', broken: 'wait' } as const

/** An accreditation is active only if each of those above it is. */
function statesOf(
  items: readonly IssuerNodeJson[],
  { expiries, now }: TreeOptions,
): readonly IssuerState[] {
  const above: boolean[] = []
  return items.map(({ depth, revokedAt, attributeId }) => {
    const end = expiries?.get(attributeId) ?? Number.POSITIVE_INFINITY
    const own = revokedAt !== null ? 'revoked' : end < now ? 'expired' : 'active'
    const isAboveActive = above.slice(0, depth).every(Boolean)
    above.length = depth
    above[depth] = own === 'active'
    return own === 'active' && !isAboveActive ? 'broken' : own
  })
}

function issuerRow(
  frame: Frame,
  node: IssuerNodeJson,
  state: IssuerState,
  { names, expiries }: TreeOptions,
): SafeHtml {
  const { states } = registriesTexts[frame.language]
  const { did, depth, publishedAs, revokedAt, attributeId } = node
  const end = expiries?.get(attributeId)
  return html`<tr>
<td class="depth-${Math.min(depth, deepestIndent)}">${didName(frame, names, did)}</td>
<td>${publishedAs}</td>
<td><span class="badge ${kinds[state]}">${states[state]}</span>${revokedAt !== null && html`<p class="time small">${shownTime(revokedAt)}<br>${transactionLink(frame, node.revocationHash ?? '')}</p>`}</td>
<td>${shortened(frame.language, attributeId, 6, 4)}</td>
<td class="number">${node.revisions}</td>
<td class="time">${shownTime(node.publishedAt)}<br>${transactionLink(frame, node.publicationHash)}</td>
<td class="time">${end !== undefined && html`<span title="${shownTime(end)}">${shownTime(end).slice(0, 10)}</span>`}</td>
</tr>`
}

const pages = [
  ['registries', ''],
  ['chain', '/chain'],
  ['changes', '/changes'],
] as const

/** Links between the pages of the section. */
export function sectionLinks(
  { language, environment, built }: Frame,
  current?: (typeof pages)[number][0],
): SafeHtml {
  const { links, pagesOfSection } = registriesTexts[language]
  const shown = pages.filter(([, path]) => built.has(`/registries/:env${path}`))
  return html`<nav class="section-links" aria-label="${pagesOfSection}">${shown.map(
    ([name, path]) =>
      html`<a href="/registries/${environment}${path}"${name === current && html` aria-current="page"`}>${links[name]}</a>`,
  )}</nav>`
}
