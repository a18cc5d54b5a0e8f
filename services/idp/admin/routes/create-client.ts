import { defineAdminForm } from '../define-admin-form.ts'
import { newClientPage } from '../pages/new-client-page.ts'
import { secretPage } from '../pages/secret-page.ts'
import { readClientForm } from './read-client-form.ts'

/** Registers a client; its secret is in the answer, and nowhere else. */
export const createClient = defineAdminForm({
  path: '/admin/clients',
  summary: 'Create a client',
  async handle({ session, fields }, { clients, config, log }) {
    const { form, parsed } = readClientForm(fields, fields.client_id ?? '', config)
    if (!parsed.ok) return newClientPage({ session, form, problems: parsed.problems })
    const { client } = parsed
    // It would be the address of the form for new ones.
    const isReserved = client.clientId === 'new'
    const secret = isReserved ? undefined : await clients.create(client)
    if (secret === undefined) {
      const message = 'There is a client with this id already.'
      return newClientPage({ session, form, problems: [{ field: 'clientId', message }] })
    }
    log.info({ admin: session.username, clientId: client.clientId }, 'a client was created')
    return secretPage(session, client.clientId, secret)
  },
})
