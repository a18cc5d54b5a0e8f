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
  /** Name of the application that requests the sign-in. */
  readonly clientName: string
  /** Where the application receives the response; the form redirects there. */
  readonly redirectUri: string
  readonly brokers: readonly { readonly alias: string; readonly displayName: string }[]
  readonly username?: string
  readonly alert?: string | undefined
}

/** The sign-in page: with a wallet, or with a local account. */
export function loginPage(options: LoginPageOptions) {
  const { status = 200, interaction, clientName, redirectUri, brokers, username, alert } = options
  const title = 'Sign in'
  const body = html`<main class="card">
<h1>${title}</h1>
<p class="soft">to continue to <strong>${clientName}</strong></p>
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

/** The style of the sign-in pages. */
export const style = `${base}
.divider { display: flex; align-items: center; gap: .75rem; margin: 1.5rem 0; color: var(--soft); font-size: .85rem }
.divider::before, .divider::after { content: ""; flex: 1; border-top: 1px solid var(--line) }
`

/** Messages above the form of the sign-in page. URLs only contain the name, never their text. */
export const loginAlerts: Readonly<Record<string, string>> = {
  login_refused: 'Sign-in with your wallet failed. Try again, or use an account.',
  provider_unavailable: 'Sign-in with a wallet is currently unavailable. Try again later.',
}

const stylesheet = '/login/style.css'

/**
 * Asks for a confirmation of the sign-out (OpenID Connect RP-Initiated Logout 1.0, 2), since any page can send a
 * browser here.
 *
 * @assumption A-57
 * @param form form of oidc-provider that the buttons belong to
 */
export function showLogout(context: KoaContextWithOIDC, form: string): void {
  const { client, params } = context.oidc
  const from = client && html` from <strong>${client.clientName ?? client.clientId}</strong>`
  const body = html`<main class="card">
<h1>Sign out?</h1>
<p class="soft">You are about to sign out${from}. Other applications will also ask you to sign in again.</p>
${trustedHtml(form)}
<button class="button primary" type="submit" form="op.logoutForm" name="logout" value="yes">Sign out</button>
<button class="button" type="submit" form="op.logoutForm">Stay signed in</button>
</main>`
  const target = params?.post_logout_redirect_uri
  const formTargets = typeof target === 'string' ? [target] : []
  sendPage(context, page({ title: 'Sign out', body, stylesheet, formTargets }))
}

/** The page after a logout without a redirect address. */
export function showLogoutSuccess(context: KoaContextWithOIDC): void {
  // oidc-provider sets the client if the user has chosen to stay signed in.
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
  /** Stable name of the error, for support requests. */
  readonly code: string
}

/** Describes the error and what the user can do. */
export function errorPage({ status = 400, title, message, code }: ErrorPageOptions) {
  const body = html`<main class="card">
<h1>${title}</h1>
<p class="alert" role="alert">${message}</p>
<p class="soft">Go back to the application and start again.</p>
<p class="code">${code}</p>
</main>`
  return page({ status, title, body, stylesheet: '/login/style.css' })
}

/** Responds to a browser: an error becomes a page instead of JSON. Rethrows server errors. */
export async function answerBrowser(work: () => Promise<Reply>): Promise<Reply> {
  try {
    return await work()
  } catch (thrown) {
    const { status, code, message } = toTestbedError(thrown)
    if (status === 500) throw thrown
    return errorPage({ status, code, message, title: 'Sign-in cannot continue' })
  }
}
