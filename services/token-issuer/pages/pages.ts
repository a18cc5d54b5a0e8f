import type { KoaContextWithOIDC } from 'oidc-provider'
import { html, trustedHtml } from '#core/html/html.ts'
import { pageStyle as base } from '#core/html/page-style.ts'
import type { Reply } from '#kit/define-route.ts'
import { toTestbedError } from '#kit/errors.ts'
import { sendPage } from '#kit/openid-provider/provider-handler.ts'
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

const stylesheet = '/login/style.css'

/**
 * Asks whether to sign out (OpenID Connect RP-Initiated Logout 1.0, 2): any page can send a browser
 * here.
 *
 * @assumption A-57
 * @param form oidc-provider's own, to which the buttons belong
 */
export function showLogout(context: KoaContextWithOIDC, form: string): void {
  const { client, params } = context.oidc
  const from = client && html` from <strong>${client.clientName ?? client.clientId}</strong>`
  const body = html`<main class="card">
<h1>Sign out?</h1>
<p class="soft">You are about to sign out${from}. Other applications will ask you to sign in again too.</p>
${trustedHtml(form)}
<button class="button primary" type="submit" form="op.logoutForm" name="logout" value="yes">Sign out</button>
<button class="button" type="submit" form="op.logoutForm">Stay signed in</button>
</main>`
  const target = params?.post_logout_redirect_uri
  const formTargets = typeof target === 'string' ? [target] : []
  sendPage(context, page({ title: 'Sign out', body, stylesheet, formTargets }))
}

/** The end of a logout without an address to return to. */
export function showLogoutSuccess(context: KoaContextWithOIDC): void {
  // oidc-provider names the client if the person has chosen to stay signed in.
  const isSignedIn = context.oidc.client !== undefined
  const title = isSignedIn ? 'You are still signed in' : 'You are signed out'
  const body = html`<main class="card">
<h1>${title}</h1>
<p class="soft">You can close this window.</p>
</main>`
  sendPage(context, page({ title, body, stylesheet }))
}

export interface ErrorPageOptions {
  readonly status?: number
  readonly title: string
  readonly message: string
  /** Stable name of the error, for whoever reports it. */
  readonly code: string
}

/** Says what went wrong and what a person can do. */
export function errorPage({ status = 400, title, message, code }: ErrorPageOptions) {
  const body = html`<main class="card">
<h1>${title}</h1>
<p class="alert" role="alert">${message}</p>
<p class="soft">Go back to the application that you came from and start again.</p>
<p class="code">${code}</p>
</main>`
  return page({ status, title, body, stylesheet: '/login/style.css' })
}

/** Answers a browser: what is thrown becomes a page instead of JSON. Server faults go on. */
export async function answerBrowser(work: () => Promise<Reply>): Promise<Reply> {
  try {
    return await work()
  } catch (thrown) {
    const { status, code, message } = toTestbedError(thrown)
    if (status === 500) throw thrown
    return errorPage({ status, code, message, title: 'This sign-in cannot go on' })
  }
}
