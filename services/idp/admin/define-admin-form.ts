import { type AnyRoute, defineRoute } from '#kit/define-route.ts'
import type { Dependencies } from '../dependencies.ts'
import {
  type AdminAction,
  type AdminFormInput,
  adminResponses,
  zAdminParams,
} from './admin-action.ts'
import { answerAdmin } from './answer-admin.ts'
import { checkCsrfToken } from './check-csrf-token.ts'
import { checkOrigin } from './check-origin.ts'
import { fieldsOf } from './fields-of.ts'
import { findAdminSession } from './find-admin-session.ts'
import { formRequest } from './form-request.ts'
import { leadTo } from './lead-to.ts'

/** What a form of the panel does, for whoever is logged in and sent it from the panel's own page. */
export function defineAdminForm(form: AdminAction<AdminFormInput>): AnyRoute<Dependencies> {
  return defineRoute<Dependencies>()({
    method: 'post',
    path: form.path,
    summary: form.summary,
    auth: 'none',
    documented: false,
    request: { params: zAdminParams, ...formRequest },
    responses: adminResponses,
    handle: ({ params, request }, dependencies) =>
      answerAdmin(dependencies, async () => {
        checkOrigin(request, dependencies)
        const session = await findAdminSession(request, dependencies)
        if (session === undefined) return leadTo('/admin/login')
        checkCsrfToken(request, session.id)
        const fields = fieldsOf(request)
        return form.handle({ session, params, query: {}, request, fields }, dependencies)
      }),
  })
}
