import { html, type SafeHtml } from '#core/html/html.ts'
import { languageSwitch } from '#kit/language.ts'
import { type FailureReason, type Failures, orderByCause } from '../domain/login.ts'
import { icons, page } from './page.ts'
import type { Texts } from './texts.ts'

/** Options that all pages of a login share. */
interface LoginFrame {
  /** Id of the pending login. */
  readonly uid: string
  /** Name of the application that the user logs in to. */
  readonly clientName: string
  /** Where the application receives the response; the form to cancel redirects there. */
  readonly redirectUri: string
}

export interface LoginPageOptions extends LoginFrame {
  readonly qrPng: Uint8Array
  /** The openid4vp:// link. */
  readonly authorizationRequest: string
  /** Address of a wallet in the browser. */
  readonly webWalletUrl: string | undefined
  readonly sessionCode: string
  readonly remainingSeconds: number
  /** Lifetime of the code, in seconds. */
  readonly lifetime: number
  readonly pollMilliseconds: number
}

/**
 * The page with the QR code, while the wallet has not responded. Without a script its link and its
 * button work; it does not reload by itself, which would surprise readers (WCAG 2.2.1).
 */
export function loginPage(texts: Texts, options: LoginPageOptions) {
  const { uid, clientName, redirectUri, remainingSeconds, lifetime, webWalletUrl } = options
  const image = `data:image/png;base64,${Buffer.from(options.qrPng).toString('base64')}`
  const self = `/accounts/interaction/${uid}`
  const body = html`<main class="card login" id="login" data-state="pending"
  data-session="${options.sessionCode}" data-remaining="${remainingSeconds}"
  data-poll="${options.pollMilliseconds}" data-lost="${texts.connectionLost}"
  data-waiting="${texts.waiting}" data-succeeded="${texts.succeeded}">
<div class="words">
<h1>${texts.title}</h1>
<p class="soft">${texts.toContinueTo} <strong>${clientName}</strong></p>
<ol class="steps">${texts.steps.map((step) => html`<li>${step}</li>`)}</ol>
</div>
<div class="same-device">
<p class="soft small" id="same-device-hint">${texts.openWalletHint}</p>
<a class="button" id="same-device" href="${options.authorizationRequest}"
  aria-describedby="same-device-hint">${texts.openWallet}</a>
${webWalletUrl && html`<a class="button" id="web-wallet" href="${addLink(webWalletUrl, options.authorizationRequest)}" target="_blank" rel="noopener">${texts.openWebWallet}</a>`}
</div>
<div class="scan">
<figure>
<img id="qr" src="${image}" alt="${texts.qrAlternative}">
<figcaption>${texts.scan}</figcaption>
</figure>
<progress id="bar" max="${lifetime}" value="${remainingSeconds}" aria-hidden="true"></progress>
<p class="timer">${texts.validFor} <time id="remaining">${minutesAndSeconds(remainingSeconds)}</time></p>
<p id="status" class="status" role="status">${texts.waiting}</p>
</div>
<div class="leave">
<noscript>
<p>${texts.withoutScript}</p>
<a class="button primary" id="continue" href="${self}">${texts.continueLink}</a>
</noscript>
${cancelForm(texts, uid)}
${languageSwitch(texts.language, self)}
</div>
<div id="accepted" class="end">
${icons.accepted}
<h1>${texts.succeededTitle}</h1>
<p class="soft" id="accepted-message" role="status"></p>
</div>
</main>`
  const head = html`<script src="/accounts/assets/login.js" defer></script>`
  return page(texts, { title: texts.title, body, head, formTarget: redirectUri })
}

function addLink(webWalletUrl: string, link: string): string {
  const address = new URL(webWalletUrl)
  address.searchParams.set('link', link)
  return address.href
}

function minutesAndSeconds(seconds: number): string {
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`
}

export interface FailedPageOptions extends LoginFrame {
  /** Address of a page that explains the verdict. */
  readonly explanationUrl: string | undefined
  /** Missing if the code expired before a presentation. */
  readonly outcome: ({ readonly reason: FailureReason } & Failures) | undefined
}

/** The page after an expired or failed QR code: the reason, and a button for a new code. */
export function failedPage(texts: Texts, options: FailedPageOptions) {
  const { uid, clientName, redirectUri, outcome, explanationUrl } = options
  const title = outcome ? texts.failedTitle : texts.expiredTitle
  const body = html`<main class="card end" id="login" data-state="${outcome ? 'failed' : 'expired'}"
  data-reason="${outcome?.reason}">
${outcome ? icons.refused : icons.expired}
<h1>${title}</h1>
<p class="soft">${outcome ? texts.failedAt : texts.toContinueTo} <strong>${clientName}</strong></p>
<p class="reason" id="reason" role="alert">${
    outcome ? texts.reasons[outcome.reason] : texts.expiredMessage
  }</p>
<form method="post" action="/accounts/interaction/${uid}/renew">
<button class="button primary" id="renew" type="submit">${
    outcome ? texts.tryAgain : texts.newCode
  }</button>
</form>
${outcome && explanationUrl && html`<a class="button" id="see-why" href="${explanationUrl}">${texts.seeWhy}</a>`}
${cancelForm(texts, uid)}
${outcome && detailsOf(texts, outcome)}
${languageSwitch(texts.language, `/accounts/interaction/${uid}`)}
</main>`
  return page(texts, { title, body, formTarget: redirectUri })
}

/** Details for support: the rules by name, the cause first, in the language of the log. */
function detailsOf(texts: Texts, { broken, unavailable }: Failures): SafeHtml {
  return html`<details><summary>${texts.details}</summary>
<ul class="code" lang="en">${unavailable.map((service) => html`<li><b>${service}</b>: no response</li>`)}${orderByCause(
    broken,
  ).map(({ rule, reason }) => html`<li><b>${rule}</b>: ${reason}</li>`)}</ul></details>`
}

/** The way back to the application without logging in. */
function cancelForm(texts: Texts, uid: string): SafeHtml {
  return html`<form method="post" action="/accounts/interaction/${uid}/cancel">
<button class="button quiet" id="cancel" type="submit">${texts.cancel}</button>
</form>`
}
