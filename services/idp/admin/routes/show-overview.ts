import { defineAdminPage } from '../define-admin-page.ts'
import { overviewPage } from '../pages/overview-page.ts'
import { readScopes } from './read-scopes.ts'

/**
 * The admin panel's first page (document 1, /admin/).
 *
 * @row 1.endpoints/credential-idp.9
 */
export const showOverview = defineAdminPage({
  path: '/admin/',
  summary: 'Admin panel: clients, scope mappers, sessions, signing keys (administrator’s login)',
  documented: true,
  async handle({ session }, dependencies) {
    const { clients, logins, providers } = dependencies
    const [key] = await providers.publishedKeys()
    return overviewPage({
      session,
      clients: (await clients.list()).length,
      scopes: [...(await readScopes(dependencies)).keys()],
      sessions: await logins.count(),
      key: key && { kid: key.jwk.kid, createdAt: key.createdAt },
    })
  },
})
