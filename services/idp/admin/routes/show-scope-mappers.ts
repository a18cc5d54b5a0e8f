import { defineAdminPage } from '../define-admin-page.ts'
import { mapperPage } from '../pages/mapper-page.ts'
import { findScope } from './find-scope.ts'

/** The mappers of one scope. */
export const showScopeMappers = defineAdminPage({
  path: '/admin/mappers/:scope',
  summary: 'Mappers of a scope',
  handle: async ({ session, params, query }, dependencies) =>
    mapperPage({ session, ...(await findScope(dependencies, params)), done: query.done }),
})
