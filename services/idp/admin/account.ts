import { html } from '#core/html/html.ts'
import { seeOther } from '#kit/page.ts'
import { type AdminSession, sessionCookie } from './admin-session.ts'
import { defineAdminForm, defineAdminPage } from './define-admin-route.ts'
import { csrfField, doneMessage, panelPage } from './panel-page.ts'
import { panelTexts } from './texts.ts'

/** The administrator's own account. */
export const showAccount = defineAdminPage({
  path: '/admin/account',
  summary: 'Account',
  handle: ({ session, query }) => accountPage({ session, done: query.done }),
})

const shortest = 12

const longest = 1024

/**
 * Changes the administrator's password. Limits attempts at the current one like a login. Ends all
 * sessions and starts a new one for this browser.
 */
export const changePassword = defineAdminForm({
  path: '/admin/account',
  summary: 'Change the password',
  async handle({ session, fields, request }, { admin, config, log }) {
    const {
      current_password: current = '',
      password = '',
      repeated_password: repeated = '',
    } = fields
    const texts = panelTexts[session.language].account
    const refuse = (status: number, alert: string) => accountPage({ status, session, alert })
    if (password !== repeated) return refuse(422, texts.different)
    if (password.length < shortest || password.length > longest) {
      return refuse(422, texts.length(shortest, longest))
    }
    const { username } = session
    const attempt = { username, address: request.socket.remoteAddress ?? '' }
    const wait = await admin.lock.admit(attempt)
    if (wait > 0) return refuse(429, panelTexts[session.language].tooManyAttempts(wait))
    if (!(await admin.accounts.authenticate(username, current))) {
      return refuse(401, texts.wrong)
    }
    await admin.lock.clear(attempt)
    await admin.accounts.changePassword(username, password)
    await admin.sessions.endAll(username)
    log.info({ admin: username }, 'the password was changed')
    const cookie = sessionCookie(await admin.sessions.create(username), config.baseUrl)
    return seeOther('/admin/account?done=password', { 'set-cookie': cookie })
  },
})

export interface AccountPageOptions {
  readonly status?: number
  readonly session: AdminSession
  readonly alert?: string
  readonly done?: unknown
}

/** The page for changing the password. */
function accountPage({ status = 200, session, alert, done }: AccountPageOptions) {
  const { account: texts, sections } = panelTexts[session.language]
  return panelPage({
    status,
    title: sections.account,
    session,
    section: 'account',
    body: html`${doneMessage(session, done)}
<form class="narrow card" method="post" action="/admin/account">
<h2>${texts.change} ${session.username}</h2>
${alert && html`<p class="alert" role="alert">${alert}</p>`}
${csrfField(session.csrfToken)}
<label for="current">${texts.current}</label>
<input id="current" name="current_password" type="password" autocomplete="current-password" maxlength="1024" required>
<label for="password">${texts.new}</label>
<input id="password" name="password" type="password" autocomplete="new-password" minlength="12" maxlength="1024" required>
<label for="repeated">${texts.repeat}</label>
<input id="repeated" name="repeated_password" type="password" autocomplete="new-password" minlength="12" maxlength="1024" required>
<button class="button primary" type="submit">${texts.submit}</button>
</form>`,
  })
}
