import { seeOther } from '#kit/page.ts'
import { randomToken } from '#kit/secrets.ts'
import type { StoredClient } from '../adapters/client-store.ts'
import type { IdpConfig } from '../config.ts'
import type { Dependencies } from '../dependencies.ts'
import { type ClientForm, type ParsedClient, parseClient } from '../domain/client.ts'
import { unknownClient } from '../errors.ts'
import {
  clientAddress,
  clientListPage,
  editClientPage,
  newClientPage,
  secretPage,
} from './client-pages.ts'
import { defineAdminForm, defineAdminPage } from './define-admin-route.ts'
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
      const message = panelTexts[session.language].clients.exists
      return newClientPage({ session, form, problems: [{ field: 'clientId', message }] })
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
