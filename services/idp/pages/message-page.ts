import type { ErrorOut, KoaContextWithOIDC } from 'oidc-provider'
import { isTestbedError } from '#core/errors/testbed-error.ts'
import { html } from '#core/html/html.ts'
import { sendPage } from '#kit/openid-provider/provider-handler.ts'
import { icons, page } from './page.ts'
import { selectTexts, type Texts } from './texts.ts'

export interface MessagePageOptions {
  readonly status?: number
  readonly title: string
  readonly message: string
  /** What a person can do. */
  readonly hint?: string
  /** Stable name of an error, for whoever reports it. */
  readonly code?: string
}

/** Says one thing: that something cannot go on, or that it goes on elsewhere. */
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

export interface ErrorPageOptions {
  readonly status: number
  /** Stable name of the error. */
  readonly code: string
  /** What is wrong with the request, in English, for whoever wrote the application. */
  readonly description?: string | undefined
}

/** Tells people what cannot go on and what they can do; of a server's fault nothing but that. */
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

/** The page for what oidc-provider refuses or fails at, in the browser's language. */
export function renderProviderError(
  context: KoaContextWithOIDC,
  { error, error_description: description }: ErrorOut,
  thrown: Error,
): void {
  const asked = context.oidc?.params?.ui_locales
  const texts = selectTexts(context.get('accept-language'), asked)
  const known = isTestbedError(thrown)
    ? { status: thrown.status, code: thrown.code }
    : { status: context.status, code: error, description }
  sendPage(context, errorPage(texts, known))
}
