import { html } from '#core/html/html.ts'
import { csrfField } from './csrf-field.ts'
import { panelPage } from './panel-page.ts'

export interface LoginPageOptions {
  readonly status?: number
  readonly csrfToken: string
  readonly alert?: string
}

/** Where administrators log in. */
export function loginPage({ status = 200, csrfToken, alert }: LoginPageOptions) {
  return panelPage({
    status,
    title: 'Log in to the admin panel',
    body: html`<form class="narrow card" method="post" action="/admin/login">
${alert && html`<p class="alert" role="alert">${alert}</p>`}
${csrfField(csrfToken)}
<label for="username">User name</label>
<input id="username" name="username" autocomplete="username" autocapitalize="none"
  spellcheck="false" maxlength="256" required>
<label for="password">Password</label>
<input id="password" name="password" type="password" autocomplete="current-password"
  maxlength="1024" required>
<button class="button primary" type="submit">Log in</button>
</form>`,
  })
}
