import { z } from 'zod'
import { type AnyRoute, defineRoute } from '#kit/define-route.ts'
import type { Dependencies } from '../dependencies.ts'
import { type AdminAction, type AdminInput, adminResponses, zAdminParams } from './admin-action.ts'
import { answerAdmin } from './answer-admin.ts'
import { findAdminSession } from './find-admin-session.ts'
import { leadTo } from './lead-to.ts'

/** A page of the panel, for whoever is logged in; others are led to the login. */
export function defineAdminPage(page: AdminAction<AdminInput>): AnyRoute<Dependencies> {
  return defineRoute<Dependencies>()({
    method: 'get',
    path: page.path,
    summary: page.summary,
    auth: 'none',
    documented: page.documented ?? false,
    request: { params: zAdminParams, query: z.record(z.string(), z.unknown()) },
    responses: adminResponses,
    handle: ({ params, query, request }, dependencies) =>
      answerAdmin(dependencies, async () => {
        const session = await findAdminSession(request, dependencies)
        if (session === undefined) return leadTo('/admin/login')
        return page.handle({ session, params, query, request }, dependencies)
      }),
  })
}
