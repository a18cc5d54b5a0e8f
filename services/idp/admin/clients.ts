import { html, type SafeHtml } from '#core/html/html.ts'
import { seeOther } from '#kit/page.ts'
import { randomToken } from '#kit/secrets.ts'
import type { StoredClient } from '../adapters/client-store.ts'
import type { IdpConfig } from '../config.ts'
import type { Dependencies } from '../dependencies.ts'
import {
  type ClientForm,
  type FieldProblem,
  type ParsedClient,
  parseClient,
} from '../domain/client.ts'
import { unknownClient } from '../errors.ts'
import type { AdminSession } from './admin-session.ts'
import { defineAdminForm, defineAdminPage } from './define-admin-route.ts'
import { csrfField, doneMessage, panelPage, timeOf } from './panel-page.ts'
import { panelTexts } from './texts.ts'

/** All clients. */
export const showClients = defineAdminPage({
  path: '/admin/clients',
  summary: 'Clients',
  handle: async ({ session, query }, { clients }) =>
    clientListPage(session, await clients.list(), query.done),
})

/** The form of a new client. */
export const showNewClient = defineAdminPage({
  path: '/admin/clients/new',
  summary: 'New client',
  handle: ({ session }) =>
    newClientPage({
      session,
      // Generated here, so that the same form sent twice creates one client.
      form: { clientId: randomToken(16), name: '', authentication: 'either', redirectUris: '' },
    }),
})

/** Registers a client; only the response contains its secret. */
export const createClient = defineAdminForm({
  path: '/admin/clients',
  summary: 'Create a client',
  async handle({ session, fields }, { clients, config, log }) {
    const { form, parsed } = readClientForm(fields, fields.client_id ?? '', config)
    if (!parsed.ok) return newClientPage({ session, form, problems: parsed.problems })
    const { client } = parsed
    // It would collide with the address of the form for new clients.
    const isReserved = client.clientId === 'new'
    const secret = isReserved ? undefined : await clients.create(client)
    if (secret === undefined) {
      const { language } = session
      const message = panelTexts[language].clients.exists
      return newClientPage({ session, form, problems: [{ field: 'clientId', message, language }] })
    }
    log.info({ admin: session.username, clientId: client.clientId }, 'a client was created')
    return secretPage(session, client.clientId, secret)
  },
})

/** One client. */
export const showClient = defineAdminPage({
  path: '/admin/clients/:id',
  summary: 'A client',
  async handle({ session, params, query }, dependencies) {
    const client = await requireClient(dependencies, params)
    const form = { ...client, redirectUris: client.redirectUris.join('\n') }
    return editClientPage({ session, client, form, done: query.done })
  },
})

/** Changes a client; its next request is compared with the new values. */
export const updateClient = defineAdminForm({
  path: '/admin/clients/:id',
  summary: 'Change a client',
  async handle({ session, params, fields }, dependencies) {
    const { clients, config, log } = dependencies
    const client = await requireClient(dependencies, params)
    const { form, parsed } = readClientForm(fields, client.clientId, config)
    if (!parsed.ok) return editClientPage({ session, client, form, problems: parsed.problems })
    await clients.update(parsed.client)
    log.info({ admin: session.username, clientId: client.clientId }, 'a client was changed')
    return seeOther(`${clientAddress(client.clientId)}?done=saved`)
  },
})

/** Replaces a client's secret; the old one is rejected from now on. */
export const rotateClientSecret = defineAdminForm({
  path: '/admin/clients/:id/secret',
  summary: 'Replace the secret of a client',
  async handle({ session, params }, dependencies) {
    const { clientId } = await requireClient(dependencies, params)
    const secret = await dependencies.clients.rotateSecret(clientId)
    if (secret === undefined) throw unknownClient()
    dependencies.log.info({ admin: session.username, clientId }, 'a client got a new secret')
    return secretPage(session, clientId, secret)
  },
})

/** Deletes a client with all its grants. */
export const deleteClient = defineAdminForm({
  path: '/admin/clients/:id/delete',
  summary: 'Delete a client',
  async handle({ session, params }, dependencies) {
    const { clientId } = await requireClient(dependencies, params)
    await dependencies.clients.remove(clientId)
    dependencies.log.info({ admin: session.username, clientId }, 'a client was deleted')
    return seeOther('/admin/clients?done=deleted')
  },
})

/** A client's form as sent, and as parsed. */
function readClientForm(
  fields: Readonly<Record<string, string | undefined>>,
  clientId: string,
  { baseUrl }: Pick<IdpConfig, 'baseUrl'>,
): { readonly form: ClientForm; readonly parsed: ParsedClient } {
  const form = {
    clientId,
    name: fields.name ?? '',
    authentication: fields.authentication ?? '',
    redirectUris: fields.redirect_uris ?? '',
  }
  // If this service itself runs without TLS, so do its clients in other containers.
  return { form, parsed: parseClient(form, baseUrl.startsWith('http:')) }
}

/**
 * Finds the client in a page's address.
 *
 * @throws TestbedError `not_found`
 */
async function requireClient(
  { clients }: Dependencies,
  { id = '' }: Readonly<Record<string, string>>,
): Promise<StoredClient> {
  const client = await clients.find(id)
  if (client === undefined) throw unknownClient()
  return client
}

/** All relying parties. */
function clientListPage(session: AdminSession, clients: readonly StoredClient[], done: unknown) {
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
function newClientPage({ session, form, problems = [] }: ClientFormOptions) {
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

interface EditClientOptions extends ClientFormOptions {
  readonly client: StoredClient
  readonly done?: unknown
}

/** The page for changing a client, replacing its secret, or deleting it. */
function editClientPage({ session, client, form, problems = [], done }: EditClientOptions) {
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
function secretPage(session: AdminSession, clientId: string, secret: string) {
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
function clientAddress(clientId: string): string {
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
    ({ message, language = 'en' }) => html`<li lang="${language}">${message}</li>`,
  )}</ul>`
}

/** Attributes that mark a field as invalid and refer to its problems. */
function mark(problems: readonly FieldProblem[], name: keyof ClientForm): SafeHtml {
  return problems.some(({ field }) => field === name)
    ? html`aria-invalid="true" aria-describedby="${name}-problems"`
    : html``
}
