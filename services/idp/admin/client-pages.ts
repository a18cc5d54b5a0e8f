import { html, type SafeHtml } from '#core/html/html.ts'
import type { StoredClient } from '../adapters/client-store.ts'
import type { ClientForm, FieldProblem } from '../domain/client.ts'
import type { AdminSession } from './admin-session.ts'
import { csrfField, doneMessage, panelPage, timeOf } from './panel-page.ts'

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
<dt>Client authentication</dt><dd>${authenticationLabels[authentication]}</dd>
<dt>Redirect URIs</dt><dd class="code">${redirectUris.map((uri) => html`<div>${uri}</div>`)}</dd>
</dl>
</li>`,
  )
  return panelPage({
    title: 'Clients',
    session,
    section: 'clients',
    body: html`${doneMessage(done)}
<p>Applications that users log in to with their wallet.</p>
<p><a class="button primary" id="new-client" href="/admin/clients/new">New client</a></p>
${entries.length === 0 && html`<p class="soft">No clients yet.</p>`}
<ul class="list">${entries}</ul>`,
  })
}

interface ClientFormOptions {
  readonly session: AdminSession
  readonly form: ClientForm
  readonly problems?: readonly FieldProblem[]
}

/** The form of a new client. */
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

export interface EditClientOptions extends ClientFormOptions {
  readonly client: StoredClient
  readonly done?: unknown
}

/** The page for changing a client, replacing its secret, or deleting it. */
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
<dt>Created</dt><dd>${timeOf(client.createdAt)}</dd>
<dt>Changed</dt><dd>${timeOf(client.updatedAt)}</dd>
</dl>
<form class="card" method="post" action="${address}">
${csrfField(session.csrfToken)}
${clientFields(form, problems)}
<button class="button primary" type="submit">Save</button>
</form>
<section class="card">
<h2>Secret</h2>
<p>The secret cannot be shown again. A new one replaces it immediately; the old one stops working.</p>
<form method="post" action="${address}/secret">${csrfField(session.csrfToken)}
<button class="button" type="submit">Create a new secret</button></form>
</section>
<section class="card">
<h2>Delete</h2>
<details><summary>Delete this client</summary>
<p>Users can no longer log in to it, and its tokens become invalid.</p>
<form method="post" action="${address}/delete">${csrfField(session.csrfToken)}
<button class="button danger" type="submit">Delete ${client.name}</button></form>
</details>
</section>`,
  })
}

/** A secret, shown only once. */
export function secretPage(session: AdminSession, clientId: string, secret: string) {
  return panelPage({
    status: 200,
    title: 'The client’s secret',
    session,
    section: 'clients',
    body: html`<p class="alert" role="status">Copy the secret now. It is not shown again; only its hash is stored.</p>
<dl class="card">
<dt>Client id</dt><dd class="code" id="client-id">${clientId}</dd>
<dt>Client secret</dt><dd class="code" id="client-secret">${secret}</dd>
</dl>
<p><a class="button" href="${clientAddress(clientId)}">Continue</a></p>`,
  })
}

/** The common fields of the forms of a new and an existing client. */
function clientFields(form: ClientForm, problems: readonly FieldProblem[]): SafeHtml {
  return html`${field(
    problems,
    'name',
    'Name that users see when they log in',
    html`<input id="name" name="name" value="${form.name}"
  maxlength="100" required ${mark(problems, 'name')}>`,
  )}
${field(
  problems,
  'redirectUris',
  'Redirect URIs, one per line; requests must match one exactly',
  html`<textarea id="redirectUris" name="redirect_uris" rows="4"
  spellcheck="false" required ${mark(problems, 'redirectUris')}>
${form.redirectUris}</textarea>`,
)}
<fieldset>
<legend>How the client sends its secret</legend>
${Object.entries(authenticationLabels).map(
  ([
    value,
    label,
  ]) => html`<label class="choice"><input type="radio" name="authentication" value="${value}"
  ${value === form.authentication && html`checked`}> ${label}</label>
`,
)}
${problemList(problems, 'authentication')}
</fieldset>`
}

/** Path of a client's page. */
export function clientAddress(clientId: string): string {
  return `/admin/clients/${encodeURIComponent(clientId)}`
}

/** Labels of the ways in which a client may send its secret. */
const authenticationLabels = {
  either: 'HTTP Basic or in the body, at the client’s choice',
  client_secret_basic: 'HTTP Basic',
  client_secret_post: 'In the request body',
} as const

/** A field with its label and its problems. */
function field(
  problems: readonly FieldProblem[],
  name: keyof ClientForm,
  label: string,
  input: SafeHtml,
): SafeHtml {
  return html`<label for="${name}">${label}</label>
${problemList(problems, name)}
${input}`
}

function problemList(problems: readonly FieldProblem[], name: keyof ClientForm): SafeHtml {
  const own = problems.filter((problem) => problem.field === name)
  if (own.length === 0) return html``
  return html`<ul class="problems" id="${name}-problems">${own.map(
    ({ message }) => html`<li>${message}</li>`,
  )}</ul>`
}

/** Attributes that mark a field as invalid and refer to its problems. */
function mark(problems: readonly FieldProblem[], name: keyof ClientForm): SafeHtml {
  return problems.some(({ field }) => field === name)
    ? html`aria-invalid="true" aria-describedby="${name}-problems"`
    : html``
}
