import { defineAdminForm } from '../define-admin-form.ts'
import { secretPage } from '../pages/secret-page.ts'
import { findClient, unknownClient } from './find-client.ts'

/** Gives a client a new secret; the old one is refused from then on. */
export const rotateClientSecret = defineAdminForm({
  path: '/admin/clients/:id/secret',
  summary: 'Make a new secret for a client',
  async handle({ session, params }, dependencies) {
    const { clientId } = await findClient(dependencies, params)
    const secret = await dependencies.clients.rotateSecret(clientId)
    if (secret === undefined) throw unknownClient()
    dependencies.log.info({ admin: session.username, clientId }, 'a client got a new secret')
    return secretPage(session, clientId, secret)
  },
})
