import { html } from '#core/html/html.ts'
import type { Reply } from '#kit/define-route.ts'
import { toTestbedError } from '#kit/errors.ts'
import { page } from '#kit/page.ts'

export interface ErrorPageOptions {
  readonly status?: number
  readonly title: string
  readonly message: string
  /** Stable name of the error, for whoever reports it. */
  readonly code: string
}

/** Says what went wrong and what a person can do. */
export function errorPage({ status = 400, title, message, code }: ErrorPageOptions) {
  const body = html`<main class="card">
<h1>${title}</h1>
<p class="alert" role="alert">${message}</p>
<p class="soft">Go back to the application that you came from and start again.</p>
<p class="code">${code}</p>
</main>`
  return page({ status, title, body, stylesheet: '/login/style.css' })
}

/** Answers a browser: what is thrown becomes a page instead of JSON. Server faults go on. */
export async function answerBrowser(work: () => Promise<Reply>): Promise<Reply> {
  try {
    return await work()
  } catch (thrown) {
    const { status, code, message } = toTestbedError(thrown)
    if (status === 500) throw thrown
    return errorPage({ status, code, message, title: 'This sign-in cannot go on' })
  }
}
