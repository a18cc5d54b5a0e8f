import { randomToken } from '#kit/secrets.ts'
import { defineAdminPage } from '../define-admin-page.ts'
import { newClientPage } from '../pages/new-client-page.ts'

/** The form of a new client. */
export const showNewClient = defineAdminPage({
  path: '/admin/clients/new',
  summary: 'New client',
  handle: ({ session }) =>
    newClientPage({
      session,
      // Proposed here, so that the same form sent twice makes one client.
      form: { clientId: randomToken(16), name: '', authentication: 'either', redirectUris: '' },
    }),
})
