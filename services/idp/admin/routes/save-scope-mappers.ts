import { parseMappers } from '../../domain/mappers.ts'
import { defineAdminForm } from '../define-admin-form.ts'
import { leadTo } from '../lead-to.ts'
import { mapperPage } from '../pages/mapper-page.ts'
import { findScope } from './find-scope.ts'

/**
 * Saves the mappers of a scope (document 1, IDP id_token claims), or shows what they would make.
 * What is wrong with any line keeps all of them from being saved; what is saved counts for the next
 * token and the next userinfo answer.
 *
 * @row 1.resources-and-their-fields/idp-id-token-claims.3
 */
export const saveScopeMappers = defineAdminForm({
  path: '/admin/mappers/:scope',
  summary: 'Save the mappers of a scope',
  async handle({ session, params, fields }, dependencies) {
    const { scope } = await findScope(dependencies, params)
    const text = (fields.mappers ?? '').replaceAll('\r\n', '\n').trimEnd()
    if (fields.intent === 'preview') return mapperPage({ session, scope, text })
    if (parseMappers(text).problems.length > 0) {
      return mapperPage({ session, scope, text, isRefused: true })
    }
    await dependencies.scopeMappers.save(scope, text)
    dependencies.log.info({ admin: session.username, scope }, 'mappers were changed')
    return leadTo(`/admin/mappers/${encodeURIComponent(scope)}?done=saved`)
  },
})
