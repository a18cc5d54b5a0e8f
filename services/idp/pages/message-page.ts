import { html } from '#core/html/html.ts'
import { page } from './page.ts'
import type { Texts } from './texts/texts.ts'

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
  const body = html`<main class="card">
<h1>${title}</h1>
<p${code === undefined ? undefined : html` class="alert" role="alert"`}>${message}</p>
${hint === undefined ? undefined : html`<p class="soft">${hint}</p>`}
${code === undefined ? undefined : html`<p class="code">${code}</p>`}
</main>`
  return page(texts, { status, title, body })
}
