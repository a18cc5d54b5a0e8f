import { defineAdminPage } from '../define-admin-route.ts'
import { keysPage } from '../pages/keys-page.ts'
import { listPanelKeys } from './list-panel-keys.ts'

/** The keys that sign tokens. */
export const showKeys = defineAdminPage({
  path: '/admin/keys',
  summary: 'Signing keys',
  handle: async ({ session, query }, dependencies) =>
    keysPage({
      session,
      keys: await listPanelKeys(dependencies),
      tokenLifetime: dependencies.providers.tokenLifetime,
      done: query.done,
    }),
})
