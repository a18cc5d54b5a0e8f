import { html, type SafeHtml } from '#core/html/html.ts'
import { page as kitPage } from '#kit/page.ts'
import type { Texts } from './texts.ts'

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
    policy: ["script-src 'self'", "img-src 'self' data:", "connect-src 'self'"],
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
