import type { KoaContextWithOIDC } from 'oidc-provider'
import { html, trustedHtml } from '#core/html/html.ts'
import { sendPage } from '#kit/openid-provider/provider-handler.ts'
import { page } from '#kit/page.ts'

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
