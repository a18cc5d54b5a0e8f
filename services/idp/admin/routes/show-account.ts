import { defineAdminPage } from '../define-admin-page.ts'
import { accountPage } from '../pages/account-page.ts'

/** The administrator's own account. */
export const showAccount = defineAdminPage({
  path: '/admin/account',
  summary: 'Account',
  handle: ({ session, query }) => accountPage({ session, done: query.done }),
})
