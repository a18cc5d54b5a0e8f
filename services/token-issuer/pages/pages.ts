import type { Request } from 'express'
import type { KoaContextWithOIDC } from 'oidc-provider'
import type { TestbedError } from '#core/errors/testbed-error.ts'
import { html, trustedHtml } from '#core/html/html.ts'
import { pageStyle as base } from '#core/html/styles.ts'
import type { Reply } from '#kit/define-route.ts'
import { toTestbedError } from '#kit/errors.ts'
import { type Language, languageOf, languageSwitch } from '#kit/language.ts'
import { sendPage } from '#kit/openid-provider/openid-routes.ts'
import { page } from '#kit/page.ts'
import { type AlertName, texts } from './texts.ts'

const stylesheet = '/login/style.css'

export interface LoginPageOptions {
  readonly language: Language
  readonly status?: number
  readonly interaction: string
  /** Name of the application that requests the login. */
  readonly clientName: string
  /** Where the application receives the response; the form redirects there. */
  readonly redirectUri: string
  readonly brokers: readonly { readonly alias: string; readonly displayName: string | undefined }[]
  readonly username?: string
  readonly alert?: AlertName | undefined
  /** Page that explains the last rejected login. */
  readonly explanationsUrl?: string | undefined
}

/** The login page: with a wallet, or with a local account. */
export function loginPage(options: LoginPageOptions) {
  const { language, status = 200, interaction, clientName, redirectUri, brokers } = options
  const { username, alert, explanationsUrl } = options
  const isExplained = alert === 'wrong_password' || alert === 'login_refused'
  const text = texts[language]
  const title = text.title
  const body = html`<main class="card">
<h1>${title}</h1>
<p class="soft">${text.toContinueTo} <strong>${clientName}</strong></p>
${alert && html`<p class="alert" role="alert">${text.alerts[alert]}</p>`}
${isExplained && explanationsUrl && html`<p><a id="see-why" href="${explanationsUrl}">${text.seeWhy}</a></p>`}
${brokers.map(
  ({ alias, displayName }) => html`<a class="button primary" id="broker-${alias}"
  href="/broker/${alias}/login?interaction=${interaction}">${text.signInWith(displayName)}</a>
`,
)}
${brokers.length === 0 ? undefined : html`<p class="divider"><span>${text.orWithAccount}</span></p>`}
<form method="post" action="/login/${interaction}">
<label for="username">${text.userName}</label>
<input id="username" name="username" value="${username}" autocomplete="username"
  autocapitalize="none" spellcheck="false" maxlength="256" required>
<label for="password">${text.password}</label>
<input id="password" name="password" type="password" autocomplete="current-password"
  maxlength="1024" required>
<button class="button" type="submit">${title}</button>
</form>
${languageSwitch(language, `/login/${interaction}`)}
</main>`
  return page({ language, status, title, body, stylesheet, formTargets: [redirectUri] })
}

/** The style of the login pages. */
export const style = `${base}
.divider { display: flex; align-items: center; gap: .75rem; margin: 1.5rem 0; color: var(--soft); font-size: .85rem }
.divider::before, .divider::after { content: ""; flex: 1; border-top: 1px solid var(--line) }
`

/**
 * Asks for a confirmation of the logout (OpenID Connect RP-Initiated Logout 1.0, 2), since any page can send a
 * browser here.
 *
 * @assumption A-57
 * @param form form of oidc-provider that the buttons belong to
 */
export function showLogout(context: KoaContextWithOIDC, form: string): void {
  const { client, params } = context.oidc
  const language = languageOf(context.req, params?.ui_locales)
  const text = texts[language]
  const body = html`<main class="card">
<h1>${text.signOutQuestion}</h1>
<p class="soft">${text.aboutToSignOut(client && (client.clientName ?? client.clientId))}</p>
${trustedHtml(form)}
<button class="button primary" type="submit" form="op.logoutForm" name="logout" value="yes">${text.signOut}</button>
<button class="button" type="submit" form="op.logoutForm">${text.staySignedIn}</button>
</main>`
  const target = params?.post_logout_redirect_uri
  const formTargets = typeof target === 'string' ? [target] : []
  sendPage(context, page({ language, title: text.signOut, body, stylesheet, formTargets }))
}

/** The page after a logout without a redirect address. */
export function showLogoutSuccess(context: KoaContextWithOIDC): void {
  const language = languageOf(context.req)
  const text = texts[language]
  // oidc-provider sets the client if the user has chosen to stay logged in.
  const title = context.oidc.client === undefined ? text.signedOut : text.stillSignedIn
  const body = html`<main class="card">
<h1>${title}</h1>
<p class="soft">${text.closeWindow}</p>
</main>`
  sendPage(context, page({ language, title, body, stylesheet }))
}

export interface ErrorPageOptions {
  readonly language: Language
  readonly status?: number
  readonly title?: string
  /** Stable name of the error, for support requests. */
  readonly code: string
  /** The problem of the request, in English, for the developer of the application. */
  readonly description?: string | undefined
}

/** Describes the error and what the user can do. */
export function errorPage({ language, status = 400, code, ...options }: ErrorPageOptions) {
  const text = texts[language]
  const { title = text.cannotContinue, description } = options
  const isFault = status >= 500
  const known = text.errors[code]
  const isExplained = isFault || known !== undefined || description === undefined
  const body = html`<main class="card">
<h1>${title}</h1>
<p class="alert" role="alert">${known ?? (isFault ? text.serverError : text.badRequest)}</p>
<p class="soft">${text.startAgain}</p>
<p class="code" lang="en">${isExplained ? code : `${code}: ${description}`}</p>
</main>`
  return page({ language, status, title, body, stylesheet })
}

/** The page at an address where the service has none. */
export function unknownPage(request: Request, { status, code }: TestbedError) {
  const language = languageOf(request)
  const { unknownTitle: title } = texts[language]
  return errorPage({ language, status, title, code })
}

/**
 * Responds to a browser in its language: an error becomes a page instead of JSON. Rethrows server
 * errors.
 */
export async function answerBrowser(request: Request, work: () => Promise<Reply>): Promise<Reply> {
  try {
    return await work()
  } catch (thrown) {
    const { status, code, message } = toTestbedError(thrown)
    if (status === 500) throw thrown
    return errorPage({ language: languageOf(request), status, code, description: message })
  }
}
