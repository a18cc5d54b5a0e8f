import { html } from '#core/html/html.ts'
import { panelPage } from './panel-page.ts'

export interface ErrorPageOptions {
  readonly status: number
  /** Stable name of the error, for whoever reports it. */
  readonly code: string
  readonly message: string
}

/** Says what did not work. */
export function errorPage({ status, code, message }: ErrorPageOptions) {
  return panelPage({
    status,
    title: 'That did not work',
    body: html`<p class="alert" role="alert">${message}</p>
<p class="code">${code}</p>
<p><a href="/admin/">Back to the panel</a></p>`,
  })
}
