import { html } from '#core/html/html.ts'
import type { StoredClient } from '../../adapters/client-store.ts'
import type { AdminSession } from '../find-admin-session.ts'
import { clientAddress } from './client-address.ts'
import { authenticationLabels } from './client-authentication-labels.ts'
import { doneMessage } from './done-message.ts'
import { panelPage } from './panel-page.ts'

/** All relying parties. */
export function clientListPage(
  session: AdminSession,
  clients: readonly StoredClient[],
  done: unknown,
) {
  const entries = clients.map(
    ({ clientId, name, authentication, redirectUris }) => html`<li class="card">
<h2><a href="${clientAddress(clientId)}">${name}</a></h2>
<dl>
<dt>Client id</dt><dd class="code">${clientId}</dd>
<dt>Secret is sent by</dt><dd>${authenticationLabels[authentication]}</dd>
<dt>Leads back to</dt><dd class="code">${redirectUris.map((uri) => html`<div>${uri}</div>`)}</dd>
</dl>
</li>`,
  )
  return panelPage({
    title: 'Clients',
    session,
    section: 'clients',
    body: html`${doneMessage(done)}
<p>Applications that people log in to with their wallet.</p>
<p><a class="button primary" id="new-client" href="/admin/clients/new">New client</a></p>
${entries.length === 0 && html`<p class="soft">There is none yet.</p>`}
<ul class="list">${entries}</ul>`,
  })
}
