import { html, type SafeHtml } from '#core/html/html.ts'
import type { Reply } from '#kit/define-route.ts'
import type { IssuerNodeJson } from '#services/tir/domain/issuers.ts'
import type { EventPage, IssuerPage } from '../read-registries.ts'
import { didLink, eventTable, pageLinks, shownTime } from './chain-events.ts'
import { page } from './page.ts'
import { scrollable } from './scrollable.ts'

const deepestIndent = 8

export interface RegistriesPageOptions {
  readonly environment: string
  readonly issuers: IssuerPage | undefined
  readonly events: EventPage | undefined
}

/** Who was accredited by whom, and what happened last in the DID registry. */
export function registriesPage({ environment, issuers, events }: RegistriesPageOptions): Reply {
  return page(
    200,
    `Registries of ${environment}`,
    html`<header>
<h1>Registries of ${environment}</h1>
<p><a href="/">console</a></p>
</header>
<main>
<section>
<h2>Trusted issuers</h2>
${issuers === undefined ? silence('TIR') : issuerTree(environment, issuers, events)}
</section>
<section>
<h2>What happened in the DID registry</h2>
${events === undefined ? silence('DID registry') : html`${eventTable(environment, events)}${pageLinks('events', events, { issuers })}`}
</section>
</main>`,
  )
}

/** In place of what a service did not tell. */
export function silence(service: string): SafeHtml {
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
