import { html, type SafeHtml } from '#core/html/html.ts'
import type { Failures } from '../adapters/login-store.ts'
import { type FailureReason, orderByCause } from '../domain/login.ts'
import { icons } from './icons.ts'
import { cancelForm, type LoginFrame } from './login-frame.ts'
import { page } from './page.ts'
import type { Texts } from './texts/texts.ts'

export interface FailedPageOptions extends LoginFrame {
  /** Absent where the code expired before anything was presented. */
  readonly outcome: ({ readonly reason: FailureReason } & Failures) | undefined
}

/** The end of a QR code that led nowhere: why, and the way to a new one. */
export function failedPage(texts: Texts, options: FailedPageOptions) {
  const { uid, clientName, redirectUri, outcome } = options
  const title = outcome ? texts.failedTitle : texts.expiredTitle
  const body = html`<main class="card end" id="login" data-state="${outcome ? 'failed' : 'expired'}"
  data-reason="${outcome?.reason}">
${outcome ? icons.refused : icons.expired}
<h1>${title}</h1>
<p class="soft">${texts.toContinueTo} <strong>${clientName}</strong></p>
<p class="reason" id="reason" role="alert">${
    outcome ? texts.reasons[outcome.reason] : texts.expiredMessage
  }</p>
<form method="post" action="/accounts/interaction/${uid}/renew">
<button class="button primary" id="renew" type="submit">${
    outcome ? texts.tryAgain : texts.newCode
  }</button>
</form>
${cancelForm(texts, uid)}
${outcome && detailsOf(texts, outcome)}
</main>`
  return page(texts, { title, body, formTarget: redirectUri })
}

/** What support asks for: the rules by name, the cause first, in the language of the log. */
function detailsOf(texts: Texts, { broken, unavailable }: Failures): SafeHtml {
  return html`<details><summary>${texts.details}</summary>
<ul class="code" lang="en">${unavailable.map((service) => html`<li><b>${service}</b>: no answer</li>`)}${orderByCause(
    broken,
  ).map(({ rule, reason }) => html`<li><b>${rule}</b>: ${reason}</li>`)}</ul></details>`
}
