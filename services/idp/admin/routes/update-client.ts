import { defineAdminForm } from '../define-admin-form.ts'
import { leadTo } from '../lead-to.ts'
import { editClientPage } from '../pages/edit-client-page.ts'
import { findClient } from './find-client.ts'
import { readClientForm } from './read-client-form.ts'

/** Changes a client; its next request is held against the new values. */
export const updateClient = defineAdminForm({
  path: '/admin/clients/:id',
  summary: 'Change a client',
  async handle({ session, params, fields }, dependencies) {
    const { clients, config, log } = dependencies
    const client = await findClient(dependencies, params)
    const { form, parsed } = readClientForm(fields, client.clientId, config)
    if (!parsed.ok) return editClientPage({ session, client, form, problems: parsed.problems })
    await clients.update(parsed.client)
    log.info({ admin: session.username, clientId: client.clientId }, 'a client was changed')
    return leadTo(`/admin/clients/${encodeURIComponent(client.clientId)}?done=saved`)
  },
})
