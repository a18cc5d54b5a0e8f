import { html } from '#core/html/html.ts'
import { pageStyle as base } from '#core/html/page-style.ts'
import { page } from '#kit/page.ts'

export interface LoginPageOptions {
  readonly status?: number
  readonly interaction: string
  /** Name of the application that asks to sign in. */
  readonly clientName: string
  /** Where the application's answer goes; the form ends there. */
  readonly redirectUri: string
  readonly brokers: readonly { readonly alias: string; readonly displayName: string }[]
  readonly username?: string
  readonly alert?: string | undefined
}

/** The page on which somebody signs in: by wallet, or with a local account. */
export function loginPage(options: LoginPageOptions) {
  const { status = 200, interaction, clientName, redirectUri, brokers, username, alert } = options
  const title = 'Sign in'
  const body = html`<main class="card">
<h1>${title}</h1>
<p class="soft">to go on to <strong>${clientName}</strong></p>
${alert === undefined ? undefined : html`<p class="alert" role="alert">${alert}</p>`}
${brokers.map(
  ({ alias, displayName }) => html`<a class="button primary" id="broker-${alias}"
  href="/broker/${alias}/login?interaction=${interaction}">Sign in with ${displayName}</a>
`,
)}
${brokers.length === 0 ? undefined : html`<p class="divider"><span>or with an account</span></p>`}
<form method="post" action="/login/${interaction}">
<label for="username">User name</label>
<input id="username" name="username" value="${username}" autocomplete="username"
  autocapitalize="none" spellcheck="false" maxlength="256" required>
<label for="password">Password</label>
<input id="password" name="password" type="password" autocomplete="current-password"
  maxlength="1024" required>
<button class="button" type="submit">Sign in</button>
</form>
</main>`
  return page({
    status,
    title,
    body,
    stylesheet: '/login/style.css',
    formTargets: [redirectUri],
  })
}

/** The look of the sign-in pages. */
export const style = `${base}
.divider { display: flex; align-items: center; gap: .75rem; margin: 1.5rem 0; color: var(--soft); font-size: .85rem }
.divider::before, .divider::after { content: ""; flex: 1; border-top: 1px solid var(--line) }
`

/** What the sign-in page may say above its form. Addresses carry the name alone, never a text. */
export const loginAlerts: Readonly<Record<string, string>> = {
  login_refused: 'Signing in with your wallet did not succeed. Try again, or use an account.',
  provider_unavailable: 'Signing in with a wallet is not possible at the moment. Try again later.',
}
