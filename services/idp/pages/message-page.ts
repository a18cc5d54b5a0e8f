import { html } from '#core/html/html.ts'
import { icons } from './icons.ts'
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
