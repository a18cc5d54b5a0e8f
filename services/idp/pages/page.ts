import type { Request } from 'express'
import type { ErrorOut, KoaContextWithOIDC } from 'oidc-provider'
import { isTestbedError, type TestbedError } from '#core/errors/testbed-error.ts'
import { html, type SafeHtml } from '#core/html/html.ts'
import { languageOf } from '#kit/language.ts'
import { sendPage } from '#kit/openid-provider/openid-routes.ts'
import { page as kitPage } from '#kit/page.ts'
import { loginTexts, type Texts } from './texts.ts'

export interface PageOptions {
  readonly status?: number
  readonly title: string
  readonly body: SafeHtml
  /** Additional elements of the head. */
  readonly head?: SafeHtml
  /** An external address that a form of the page finally redirects to. */
  readonly formTarget?: string
}

/** A page of the login, in the language of its texts. */
export function page({ language }: Texts, { formTarget, ...options }: PageOptions) {
  return kitPage({
    ...options,
    language,
    stylesheet: '/accounts/assets/login.css',
    policy: ["script-src 'self'", "connect-src 'self'"],
    formTargets: formTarget === undefined ? [] : [formTarget],
  })
}

const icon = (tone: string, path: SafeHtml): SafeHtml =>
  html`<svg class="icon ${tone}" viewBox="0 0 24 24" aria-hidden="true">${path}</svg>`

/** Symbols for the result of a login; the text next to them says the same. */
export const icons = {
  accepted: icon('good', html`<path d="M4 12.5 9.5 18 20 6.5"/>`),
  refused: icon('bad', html`<path d="M6 6l12 12M18 6 6 18"/>`),
  expired: icon('calm', html`<circle cx="12" cy="12" r="9"/><path d="M12 7v5l3.5 2"/>`),
  attention: icon('bad', html`<path d="M12 5v9M12 18.5v.5"/>`),
  elsewhere: icon('calm', html`<path d="M4 12.5 9.5 18 20 6.5"/>`),
}

interface MessagePageOptions {
  readonly status?: number
  readonly title: string
  readonly message: string
  /** What the user can do. */
  readonly hint?: string
  /** Stable name of an error, for support requests. */
  readonly code?: string
}

/** A page with one message: the login cannot continue, or it continues elsewhere. */
export function messagePage(texts: Texts, options: MessagePageOptions) {
  const { status = 400, title, message, hint, code } = options
  const isError = code !== undefined
  const body = html`<main class="card end" id="message" data-code="${code}">
${isError ? icons.attention : icons.elsewhere}
<h1>${title}</h1>
<p class="reason"${isError ? html` role="alert"` : undefined}>${message}</p>
${hint === undefined ? undefined : html`<p class="soft">${hint}</p>`}
${isError ? html`<p class="code" lang="en">${code}</p>` : undefined}
</main>`
  return page(texts, { status, title, body })
}

interface ErrorPageOptions {
  readonly status: number
  /** Stable name of the error. */
  readonly code: string
  /** The problem of the request, in English, for the developer of the application. */
  readonly description?: string | undefined
}

/** Reports the problem and what the user can do; shows no details of a server error. */
export function errorPage(texts: Texts, { status, code, description }: ErrorPageOptions) {
  const isFault = status >= 500
  const known = texts.errors[code]
  return messagePage(texts, {
    status,
    title: isFault ? texts.serverErrorTitle : texts.cannotGoOn,
    message: known ?? (isFault ? texts.serverError : texts.badRequest),
    hint: isFault ? texts.tryLater : texts.startAgain,
    code: isFault || known || description === undefined ? code : `${code}: ${description}`,
  })
}

/** The page at an address where the service has none. */
export function unknownPage(request: Request, { status, code }: TestbedError) {
  const texts = loginTexts[languageOf(request)]
  const { unknownTitle: title, unknown: message, startAgain: hint } = texts
  return messagePage(texts, { status, title, message, hint, code })
}

/** The page for an error of oidc-provider, in the browser's language. */
export function renderProviderError(
  context: KoaContextWithOIDC,
  { error, error_description: description }: ErrorOut,
  thrown: Error,
): void {
  const asked = context.oidc?.params?.ui_locales
  const texts = loginTexts[languageOf(context.req, asked)]
  const known = isTestbedError(thrown)
    ? { status: thrown.status, code: thrown.code }
    : { status: context.status, code: error, description }
  sendPage(context, errorPage(texts, known))
}
