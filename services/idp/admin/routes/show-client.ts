import { defineAdminPage } from '../define-admin-page.ts'
import { editClientPage } from '../pages/edit-client-page.ts'
import { findClient } from './find-client.ts'

/** One client. */
export const showClient = defineAdminPage({
  path: '/admin/clients/:id',
  summary: 'A client',
  async handle({ session, params, query }, dependencies) {
    const client = await findClient(dependencies, params)
    const form = { ...client, redirectUris: client.redirectUris.join('\n') }
    return editClientPage({ session, client, form, done: query.done })
  },
})
