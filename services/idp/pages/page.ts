import type { SafeHtml } from '#core/html/html.ts'
import { page as kitPage } from '#kit/page.ts'
import type { Texts } from './texts/texts.ts'

export interface PageOptions {
  readonly status?: number
  readonly title: string
  readonly body: SafeHtml
  /** In the head, beside title and style. */
  readonly head?: SafeHtml
  /** An address to which a form of the page leads in the end, besides this service. */
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
