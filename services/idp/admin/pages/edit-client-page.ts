import { html } from '#core/html/html.ts'
import type { StoredClient } from '../../adapters/client-store.ts'
import { clientAddress } from './client-address.ts'
import { clientFields } from './client-fields.ts'
import { csrfField } from './csrf-field.ts'
import { doneMessage } from './done-message.ts'
import type { ClientFormOptions } from './new-client-page.ts'
import { panelPage } from './panel-page.ts'
import { timeOf } from './time-of.ts'

export interface EditClientOptions extends ClientFormOptions {
  readonly client: StoredClient
  readonly done?: unknown
}

/** A client, to be changed, to get a new secret, or to be deleted. */
export function editClientPage({ session, client, form, problems = [], done }: EditClientOptions) {
  const address = clientAddress(client.clientId)
  return panelPage({
    status: problems.length === 0 ? 200 : 422,
    title: client.name,
    session,
    section: 'clients',
    body: html`${doneMessage(done)}
<p><a href="/admin/clients">All clients</a></p>
<dl class="card">
<dt>Client id</dt><dd class="code">${client.clientId}</dd>
<dt>Made</dt><dd>${timeOf(client.createdAt)}</dd>
<dt>Changed</dt><dd>${timeOf(client.updatedAt)}</dd>
</dl>
<form class="card" method="post" action="${address}">
${csrfField(session.csrfToken)}
${clientFields(form, problems)}
<button class="button primary" type="submit">Save</button>
</form>
<section class="card">
<h2>Secret</h2>
<p>The secret can not be shown again. A new one takes its place at once; the old one is refused from then on.</p>
<form method="post" action="${address}/secret">${csrfField(session.csrfToken)}
<button class="button" type="submit">Make a new secret</button></form>
</section>
<section class="card">
<h2>Delete</h2>
<details><summary>Delete this client</summary>
<p>Nobody can log in to it any more, and its tokens end.</p>
<form method="post" action="${address}/delete">${csrfField(session.csrfToken)}
<button class="button danger" type="submit">Delete ${client.name}</button></form>
</details>
</section>`,
  })
}
