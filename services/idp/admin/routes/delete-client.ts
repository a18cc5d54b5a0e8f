import { defineAdminForm } from '../define-admin-form.ts'
import { leadTo } from '../lead-to.ts'
import { findClient } from './find-client.ts'

/** Deletes a client with all that was granted to it. */
export const deleteClient = defineAdminForm({
  path: '/admin/clients/:id/delete',
  summary: 'Delete a client',
  async handle({ session, params }, dependencies) {
    const { clientId } = await findClient(dependencies, params)
    await dependencies.clients.remove(clientId)
    dependencies.log.info({ admin: session.username, clientId }, 'a client was deleted')
    return leadTo('/admin/clients?done=deleted')
  },
})
