import { defineRoute } from '#kit/define-route.ts'
import type { Dependencies } from '../../dependencies.ts'
import { answerAdmin } from '../answer-admin.ts'
import { checkCsrfToken } from '../check-csrf-token.ts'
import { checkOrigin } from '../check-origin.ts'
import { csrfTokenOf } from '../csrf-token-of.ts'
import { fieldsOf } from '../fields-of.ts'
import { formRequest } from '../form-request.ts'
import { leadTo } from '../lead-to.ts'
import { loginPage } from '../pages/login-page.ts'
import { readSessionCookie, sessionCookie } from '../session-cookie.ts'

const wrong = 'The user name or the password is not right.'

/**
 * Logs an administrator in. What is wrong is not told apart, and takes equally long; the session's
 * id is a new one, whatever the browser brought (session fixation).
 *
 * @row 1.authentication.6
 */
export const submitAdminLogin = defineRoute<Dependencies>()({
  method: 'post',
  path: '/admin/login',
  summary: 'Log in to the admin panel',
  auth: 'none',
  documented: false,
  request: formRequest,
  responses: { 303: { description: 'To the panel' } },
  handle: ({ request }, dependencies) =>
    answerAdmin(dependencies, async () => {
      const { config, admin, log } = dependencies
      checkOrigin(request, dependencies)
      const cookie = readSessionCookie(request, config.baseUrl)
      checkCsrfToken(request, cookie)
      const { username = '', password = '' } = fieldsOf(request)
      const attempt = {
        username: username.slice(0, 256),
        address: request.socket.remoteAddress ?? '',
      }
      const showAgain = (status: number, alert: string) =>
        loginPage({ status, alert, csrfToken: csrfTokenOf(cookie ?? '') })

      const wait = await admin.lock.admit(attempt)
      if (wait > 0) {
        const page = showAgain(429, `Too many failed attempts. Try again in ${wait} seconds.`)
        return { ...page, headers: { ...page.headers, 'retry-after': String(wait) } }
      }
      if (!(await admin.accounts.authenticate(attempt.username, password))) {
        log.warn({ address: attempt.address }, 'a login to the admin panel failed')
        return showAgain(401, wrong)
      }
      await admin.lock.clear(attempt)
      await admin.sessions.end(cookie ?? '')
      const session = await admin.sessions.create(attempt.username)
      log.info({ admin: attempt.username }, 'logged in to the admin panel')
      return leadTo('/admin/', { 'set-cookie': sessionCookie(session, config.baseUrl) })
    }),
})
