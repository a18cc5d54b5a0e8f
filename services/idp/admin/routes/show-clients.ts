import { defineAdminPage } from '../define-admin-route.ts'
import { clientListPage } from '../pages/client-pages.ts'

/** All clients. */
export const showClients = defineAdminPage({
  path: '/admin/clients',
  summary: 'Clients',
  handle: async ({ session, query }, { clients }) =>
    clientListPage(session, await clients.list(), query.done),
})
