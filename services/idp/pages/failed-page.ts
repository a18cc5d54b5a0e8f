import { html } from '#core/html/html.ts'
import type { FailureReason } from '../domain/failure-reason.ts'
import { cancelForm, type LoginFrame } from './login-frame.ts'
import { page } from './page.ts'
import type { Texts } from './texts/texts.ts'

export interface FailedPageOptions extends LoginFrame {
  /** Absent where the code expired before anything was presented. */
  readonly outcome:
    | {
        readonly reason: FailureReason
        readonly broken: readonly { readonly rule: string; readonly reason: string }[]
      }
    | undefined
}

/** The end of a QR code that led nowhere: why, and the way to a new one. */
export function failedPage(texts: Texts, options: FailedPageOptions) {
  const { uid, clientName, redirectUri, outcome } = options
  const title = outcome ? texts.failedTitle : texts.expiredTitle
  const details =
    outcome &&
    html`<details><summary>${texts.details}</summary>
<ul class="code">${outcome.broken.map(
      ({ rule, reason }) => html`<li><b>${rule}</b>: ${reason}</li>`,
    )}</ul></details>`
  const body = html`<main class="card" id="login" data-state="${outcome ? 'failed' : 'expired'}"
  data-reason="${outcome?.reason}">
<h1>${title}</h1>
<p class="soft">${texts.toContinueTo} <strong>${clientName}</strong></p>
<p class="alert" id="reason" role="alert">${
    outcome ? texts.reasons[outcome.reason] : texts.expiredMessage
  }</p>
${details}
<form method="post" action="/accounts/interaction/${uid}/renew">
<button class="button primary" id="renew" type="submit">${
    outcome ? texts.tryAgain : texts.newCode
  }</button>
</form>
${cancelForm(texts, uid)}
</main>`
  return page(texts, { title, body, formTarget: redirectUri })
}
