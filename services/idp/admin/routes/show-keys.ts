import { defineAdminPage } from '../define-admin-page.ts'
import { keysPage } from '../pages/keys-page.ts'

/** The keys that sign tokens. */
export const showKeys = defineAdminPage({
  path: '/admin/keys',
  summary: 'Signing keys',
  handle: async ({ session, query }, { providers }) =>
    keysPage({
      session,
      keys: await providers.publishedKeys(),
      tokenLifetime: providers.tokenLifetime,
      done: query.done,
    }),
})
