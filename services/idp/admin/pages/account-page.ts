import { html } from '#core/html/html.ts'
import type { AdminSession } from '../find-admin-session.ts'
import { csrfField } from './csrf-field.ts'
import { doneMessage } from './done-message.ts'
import { panelPage } from './panel-page.ts'

export interface AccountPageOptions {
  readonly status?: number
  readonly session: AdminSession
  readonly alert?: string
  readonly done?: unknown
}

/** Where an administrator changes the password. */
export function accountPage({ status = 200, session, alert, done }: AccountPageOptions) {
  return panelPage({
    status,
    title: 'Account',
    session,
    section: 'account',
    body: html`${doneMessage(done)}
<form class="narrow card" method="post" action="/admin/account">
<h2>Change the password of ${session.username}</h2>
${alert && html`<p class="alert" role="alert">${alert}</p>`}
${csrfField(session.csrfToken)}
<label for="current">Current password</label>
<input id="current" name="current_password" type="password" autocomplete="current-password" maxlength="1024" required>
<label for="password">New password, at least 12 characters</label>
<input id="password" name="password" type="password" autocomplete="new-password" minlength="12" maxlength="1024" required>
<label for="repeated">New password again</label>
<input id="repeated" name="repeated_password" type="password" autocomplete="new-password" minlength="12" maxlength="1024" required>
<button class="button primary" type="submit">Change</button>
</form>`,
  })
}
