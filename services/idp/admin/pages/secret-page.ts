import { html } from '#core/html/html.ts'
import type { AdminSession } from '../find-admin-session.ts'
import { clientAddress } from './client-address.ts'
import { panelPage } from './panel-page.ts'

/** A secret, the one time that it is shown. */
export function secretPage(session: AdminSession, clientId: string, secret: string) {
  return panelPage({
    status: 200,
    title: 'The client’s secret',
    session,
    section: 'clients',
    body: html`<p class="alert" role="status">Copy it now: it is shown this once and kept as a hash.</p>
<dl class="card">
<dt>Client id</dt><dd class="code" id="client-id">${clientId}</dd>
<dt>Client secret</dt><dd class="code" id="client-secret">${secret}</dd>
</dl>
<p><a class="button" href="${clientAddress(clientId)}">Go on</a></p>`,
  })
}
