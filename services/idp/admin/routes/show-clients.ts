import { defineAdminPage } from '../define-admin-page.ts'
import { clientListPage } from '../pages/client-list-page.ts'

/** All clients. */
export const showClients = defineAdminPage({
  path: '/admin/clients',
  summary: 'Clients',
  handle: async ({ session, query }, { clients }) =>
    clientListPage(session, await clients.list(), query.done),
})
