import { html } from '#core/html/html.ts'
import type { Reply } from '#kit/define-route.ts'
import type { EventPage } from '../read-registries.ts'
import { eventTable, pageLinks } from './chain-events.ts'
import { page } from './page.ts'

export interface IdentifierPageOptions {
  readonly environment: string
  readonly did: string
  readonly events: EventPage | undefined
}

/** The history of one DID. */
export function identifierPage({ environment, did, events }: IdentifierPageOptions): Reply {
  return page(
    events === undefined ? 404 : 200,
    did,
    html`<header>
<h1 class="what">${did}</h1>
<p><a href="/">console</a> · <a href="/registries/${environment}">registries of ${environment}</a></p>
</header>
<main>
<section>
<h2>History</h2>
${events === undefined ? html`<p>The DID registry tells nothing of this DID.</p>` : html`${eventTable(environment, events)}${pageLinks('events', events)}`}
</section>
</main>`,
  )
}
