import { defineAdminPage } from '../define-admin-page.ts'
import { mapperListPage } from '../pages/mapper-list-page.ts'
import { readScopes } from './read-scopes.ts'

/** The scopes with their claims. */
export const showMappers = defineAdminPage({
  path: '/admin/mappers',
  summary: 'Claims by scope',
  handle: async ({ session }, dependencies) =>
    mapperListPage(session, await readScopes(dependencies)),
})
