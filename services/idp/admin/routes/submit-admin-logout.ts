import { defineAdminForm } from '../define-admin-form.ts'
import { leadTo } from '../lead-to.ts'
import { sessionCookie } from '../session-cookie.ts'

/** Ends the session here and in the browser. */
export const submitAdminLogout = defineAdminForm({
  path: '/admin/logout',
  summary: 'Log out of the admin panel',
  async handle({ session }, { admin, config }) {
    await admin.sessions.end(session.id)
    return leadTo('/admin/login', { 'set-cookie': sessionCookie('', config.baseUrl) })
  },
})
