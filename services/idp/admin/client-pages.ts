import { html, type SafeHtml } from '#core/html/html.ts'
import type { StoredClient } from '../adapters/client-store.ts'
import type { ClientForm, FieldProblem } from '../domain/client.ts'
import type { AdminSession } from './admin-session.ts'
import { csrfField, doneMessage, panelPage, timeOf } from './panel-page.ts'
import { panelTexts } from './texts.ts'

/** All relying parties. */
export function clientListPage(
  session: AdminSession,
  clients: readonly StoredClient[],
  done: unknown,
) {
  const { clients: texts, authentication: ways, sections } = panelTexts[session.language]
  const entries = clients.map(
    ({ clientId, name, authentication, redirectUris }) => html`<li class="card">
<h2><a href="${clientAddress(clientId)}">${name}</a></h2>
<dl>
<dt>${texts.id}</dt><dd class="code">${clientId}</dd>
<dt>${texts.authentication}</dt><dd>${ways[authentication]}</dd>
<dt>${texts.redirectUris}</dt><dd class="code">${redirectUris.map((uri) => html`<div>${uri}</div>`)}</dd>
</dl>
</li>`,
  )
  return panelPage({
    title: sections.clients,
    session,
    section: 'clients',
    body: html`${doneMessage(session, done)}
<p>${texts.lead}</p>
<p><a class="button primary" id="new-client" href="/admin/clients/new">${texts.new}</a></p>
${entries.length === 0 && html`<p class="soft">${texts.none}</p>`}
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
  const { clients: texts } = panelTexts[session.language]
  return panelPage({
    status: problems.length === 0 ? 200 : 422,
    title: texts.new,
    session,
    section: 'clients',
    body: html`<form class="card" method="post" action="/admin/clients">
${csrfField(session.csrfToken)}
${field(
  problems,
  'clientId',
  texts.id,
  html`<input id="clientId" name="client_id" value="${form.clientId}"
  autocapitalize="none" autocomplete="off" spellcheck="false" maxlength="100" required ${mark(problems, 'clientId')}>`,
)}
${clientFields(session, form, problems)}
<button class="button primary" type="submit">${texts.create}</button>
</form>`,
  })
}

export interface EditClientOptions extends ClientFormOptions {
  readonly client: StoredClient
  readonly done?: unknown
}

/** The page for changing a client, replacing its secret, or deleting it. */
export function editClientPage({ session, client, form, problems = [], done }: EditClientOptions) {
  const { clients: texts } = panelTexts[session.language]
  const address = clientAddress(client.clientId)
  return panelPage({
    status: problems.length === 0 ? 200 : 422,
    title: client.name,
    session,
    section: 'clients',
    body: html`${doneMessage(session, done)}
<p><a href="/admin/clients">${texts.all}</a></p>
<dl class="card">
<dt>${texts.id}</dt><dd class="code">${client.clientId}</dd>
<dt>${texts.created}</dt><dd>${timeOf(client.createdAt)}</dd>
<dt>${texts.changed}</dt><dd>${timeOf(client.updatedAt)}</dd>
</dl>
<form class="card" method="post" action="${address}">
${csrfField(session.csrfToken)}
${clientFields(session, form, problems)}
<button class="button primary" type="submit">${texts.save}</button>
</form>
<section class="card">
<h2>${texts.secret}</h2>
<p>${texts.secretLead}</p>
<form method="post" action="${address}/secret">${csrfField(session.csrfToken)}
<button class="button" type="submit">${texts.newSecret}</button></form>
</section>
<section class="card">
<h2>${texts.remove}</h2>
<details><summary>${texts.removeThis}</summary>
<p>${texts.removeLead}</p>
<form method="post" action="${address}/delete">${csrfField(session.csrfToken)}
<button class="button danger" type="submit">${texts.remove} ${client.name}</button></form>
</details>
</section>`,
  })
}

/** A secret, shown only once. */
export function secretPage(session: AdminSession, clientId: string, secret: string) {
  const { clients: texts } = panelTexts[session.language]
  return panelPage({
    status: 200,
    title: texts.secretTitle,
    session,
    section: 'clients',
    body: html`<p class="alert" role="status">${texts.copySecret}</p>
<dl class="card">
<dt>${texts.id}</dt><dd class="code" id="client-id">${clientId}</dd>
<dt>${texts.clientSecret}</dt><dd class="code" id="client-secret">${secret}</dd>
</dl>
<p><a class="button" href="${clientAddress(clientId)}">${texts.continue}</a></p>`,
  })
}

/** The common fields of the forms of a new and an existing client. */
function clientFields(
  { language }: AdminSession,
  form: ClientForm,
  problems: readonly FieldProblem[],
): SafeHtml {
  const { clients: texts, authentication: ways } = panelTexts[language]
  return html`${field(
    problems,
    'name',
    texts.name,
    html`<input id="name" name="name" value="${form.name}"
  maxlength="100" required ${mark(problems, 'name')}>`,
  )}
${field(
  problems,
  'redirectUris',
  texts.redirectUrisHint,
  html`<textarea id="redirectUris" name="redirect_uris" rows="4"
  spellcheck="false" required ${mark(problems, 'redirectUris')}>
${form.redirectUris}</textarea>`,
)}
<fieldset>
<legend>${texts.howSent}</legend>
${Object.entries(ways).map(
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
