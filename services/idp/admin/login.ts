import { z } from 'zod'
import { html } from '#core/html/html.ts'
import { defineRoute } from '#kit/define-route.ts'
import { keepLanguage, type Language, languageOf } from '#kit/language.ts'
import { seeOther } from '#kit/page.ts'
import { randomToken } from '#kit/secrets.ts'
import type { Dependencies } from '../dependencies.ts'
import { usedLink } from '../errors.ts'
import { requireLoopback } from './admin-links.ts'
import {
  csrfTokenOf,
  fieldsOf,
  findAdminSession,
  readSessionCookie,
  requireCsrfToken,
  requireOwnOrigin,
  sessionCookie,
} from './admin-session.ts'
import { answerAdmin, defineAdminForm, formRequest } from './define-admin-route.ts'
import { csrfField, panelPage } from './panel-page.ts'
import { panelTexts } from './texts.ts'

/** The login page. A cookie protects its form too and is replaced at the login. */
export const showAdminLogin = defineRoute<Dependencies>()({
  method: 'get',
  path: '/admin/login',
  summary: 'Log in to the admin panel',
  auth: 'none',
  documented: false,
  responses: { 200: { description: 'The page', contentType: 'text/html' } },
  handle: ({ request }, dependencies) =>
    answerAdmin(request, dependencies, async () => {
      const chosen = keepLanguage(request)
      if (chosen) return chosen
      if (await findAdminSession(request, dependencies)) return seeOther('/admin/')
      const { baseUrl } = dependencies.config
      const cookie = readSessionCookie(request, baseUrl) ?? randomToken()
      const reply = loginPage({
        language: languageOf(request),
        csrfToken: csrfTokenOf(cookie),
        ...dependencies.runtime,
      })
      return {
        ...reply,
        headers: { ...reply.headers, 'set-cookie': sessionCookie(cookie, baseUrl) },
      }
    }),
})

/**
 * Logs an administrator in. A wrong name and a wrong password get the same response in the same
 * time. The session's id is new, regardless of the browser's cookie (session fixation).
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
  responses: { 303: { description: 'Redirect to the panel' } },
  handle: ({ request }, dependencies) =>
    answerAdmin(request, dependencies, async () => {
      const { config, admin, log, runtime } = dependencies
      requireOwnOrigin(request, dependencies)
      const cookie = readSessionCookie(request, config.baseUrl)
      requireCsrfToken(request, cookie)
      const { username = '', password = '' } = fieldsOf(request)
      const attempt = {
        username: username.slice(0, 256),
        address: request.socket.remoteAddress ?? '',
      }
      const language = languageOf(request)
      const texts = panelTexts[language]
      const showAgain = (status: number, alert: string) =>
        loginPage({ language, status, alert, csrfToken: csrfTokenOf(cookie ?? ''), ...runtime })

      const wait = await admin.lock.admit(attempt)
      if (wait > 0) {
        const page = showAgain(429, texts.tooManyAttempts(wait))
        return { ...page, headers: { ...page.headers, 'retry-after': String(wait) } }
      }
      if (!(await admin.accounts.authenticate(attempt.username, password))) {
        log.warn({ address: attempt.address }, 'a login to the admin panel failed')
        return showAgain(401, texts.wrongPassword)
      }
      await admin.lock.clear(attempt)
      await admin.sessions.end(cookie ?? '')
      const session = await admin.sessions.create(attempt.username)
      log.info({ admin: attempt.username }, 'logged in to the admin panel')
      return seeOther('/admin/', { 'set-cookie': sessionCookie(session, config.baseUrl) })
    }),
})

/** Target of a one-time link: starts a session of the panel and redirects to its first page. */
export const openAdminPanel = defineRoute<Dependencies>()({
  method: 'get',
  path: '/admin/open',
  summary: 'Open the admin panel with a one-time link',
  auth: 'none',
  documented: false,
  request: { query: z.object({ code: z.string().max(128).default('').catch('') }) },
  responses: {
    303: { description: 'Redirect to the panel' },
    401: { description: 'The link was used or has expired' },
  },
  handle: ({ query, request }, dependencies) =>
    answerAdmin(request, dependencies, async () => {
      const { config, admin, log } = dependencies
      requireLoopback(request)
      const username = admin.links.redeem(query.code)
      if (username === undefined) throw usedLink()
      await admin.sessions.end(readSessionCookie(request, config.baseUrl) ?? '')
      const session = await admin.sessions.create(username)
      log.info({ admin: username }, 'logged in to the admin panel with a one-time link')
      return seeOther('/admin/', { 'set-cookie': sessionCookie(session, config.baseUrl) })
    }),
})

/** Ends the session here and in the browser. */
export const submitAdminLogout = defineAdminForm({
  path: '/admin/logout',
  summary: 'Log out of the admin panel',
  async handle({ session }, { admin, config }) {
    await admin.sessions.end(session.id)
    return seeOther('/admin/login', { 'set-cookie': sessionCookie('', config.baseUrl) })
  },
})

export interface LoginPageOptions {
  readonly language: Language
  readonly status?: number
  readonly csrfToken: string
  readonly alert?: string
  readonly consoleUrl?: string | undefined
}

/** The page on which administrators log in. */
function loginPage({ language, status = 200, csrfToken, alert, consoleUrl }: LoginPageOptions) {
  const texts = panelTexts[language]
  return panelPage({
    language,
    status,
    consoleUrl,
    title: texts.logInTitle,
    body: html`<form class="narrow card" method="post" action="/admin/login">
${alert && html`<p class="alert" role="alert">${alert}</p>`}
${csrfField(csrfToken)}
<label for="username">${texts.userName}</label>
<input id="username" name="username" autocomplete="username" autocapitalize="none"
  spellcheck="false" maxlength="256" required>
<label for="password">${texts.password}</label>
<input id="password" name="password" type="password" autocomplete="current-password"
  maxlength="1024" required>
<button class="button primary" type="submit">${texts.logIn}</button>
</form>`,
  })
}
