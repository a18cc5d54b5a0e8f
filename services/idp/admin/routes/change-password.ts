import { defineAdminForm } from '../define-admin-form.ts'
import { leadTo } from '../lead-to.ts'
import { accountPage } from '../pages/account-page.ts'
import { sessionCookie } from '../session-cookie.ts'

const shortest = 12
const longest = 1024

/**
 * Changes the administrator's password. The current one is guarded as at the login; all sessions
 * end, and this browser gets a new one.
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
    const refuse = (status: number, alert: string) => accountPage({ status, session, alert })
    if (password !== repeated) return refuse(422, 'The new passwords are not the same.')
    if (password.length < shortest || password.length > longest) {
      return refuse(422, `A password has ${shortest} to ${longest} characters.`)
    }
    const { username } = session
    const attempt = { username, address: request.socket.remoteAddress ?? '' }
    const wait = await admin.lock.admit(attempt)
    if (wait > 0) return refuse(429, `Too many failed attempts. Try again in ${wait} seconds.`)
    if (!(await admin.accounts.authenticate(username, current))) {
      return refuse(401, 'The current password is not right.')
    }
    await admin.lock.clear(attempt)
    await admin.accounts.changePassword(username, password)
    await admin.sessions.endAll(username)
    log.info({ admin: username }, 'the password was changed')
    const cookie = sessionCookie(await admin.sessions.create(username), config.baseUrl)
    return leadTo('/admin/account?done=password', { 'set-cookie': cookie })
  },
})
