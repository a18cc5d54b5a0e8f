import { defineRoute } from '#kit/define-route.ts'
import { randomToken } from '#kit/secrets.ts'
import type { Dependencies } from '../../dependencies.ts'
import { answerAdmin } from '../answer-admin.ts'
import { csrfTokenOf } from '../csrf-token-of.ts'
import { findAdminSession } from '../find-admin-session.ts'
import { leadTo } from '../lead-to.ts'
import { loginPage } from '../pages/login-page.ts'
import { readSessionCookie, sessionCookie } from '../session-cookie.ts'

/** The login's page. Its form is bound to a cookie too, which ends with the login. */
export const showAdminLogin = defineRoute<Dependencies>()({
  method: 'get',
  path: '/admin/login',
  summary: 'Log in to the admin panel',
  auth: 'none',
  documented: false,
  responses: { 200: { description: 'The page', contentType: 'text/html' } },
  handle: ({ request }, dependencies) =>
    answerAdmin(dependencies, async () => {
      if (await findAdminSession(request, dependencies)) return leadTo('/admin/')
      const { baseUrl } = dependencies.config
      const cookie = readSessionCookie(request, baseUrl) ?? randomToken()
      const reply = loginPage({ csrfToken: csrfTokenOf(cookie) })
      return {
        ...reply,
        headers: { ...reply.headers, 'set-cookie': sessionCookie(cookie, baseUrl) },
      }
    }),
})
