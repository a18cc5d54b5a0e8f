import { html } from '#core/html/html.ts'
import type { ClientForm, FieldProblem } from '../../domain/client.ts'
import type { AdminSession } from '../find-admin-session.ts'
import { clientFields, field, mark } from './client-fields.ts'
import { csrfField } from './csrf-field.ts'
import { panelPage } from './panel-page.ts'

export interface ClientFormOptions {
  readonly session: AdminSession
  readonly form: ClientForm
  readonly problems?: readonly FieldProblem[]
}

/** The form of a client that is to be. */
export function newClientPage({ session, form, problems = [] }: ClientFormOptions) {
  return panelPage({
    status: problems.length === 0 ? 200 : 422,
    title: 'New client',
    session,
    section: 'clients',
    body: html`<form class="card" method="post" action="/admin/clients">
${csrfField(session.csrfToken)}
${field(
  problems,
  'clientId',
  'Client id',
  html`<input id="clientId" name="client_id" value="${form.clientId}"
  autocapitalize="none" autocomplete="off" spellcheck="false" maxlength="100" required ${mark(problems, 'clientId')}>`,
)}
${clientFields(form, problems)}
<button class="button primary" type="submit">Create</button>
</form>`,
  })
}
