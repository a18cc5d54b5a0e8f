import { html } from '#core/html/html.ts'
import { icons } from './icons.ts'
import { cancelForm, type LoginFrame } from './login-frame.ts'
import { page } from './page.ts'
import type { Texts } from './texts/texts.ts'

export interface LoginPageOptions extends LoginFrame {
  readonly qrPng: Uint8Array
  /** The openid4vp:// link. */
  readonly authorizationRequest: string
  readonly sessionCode: string
  readonly remainingSeconds: number
  /** Of the code, in seconds. */
  readonly lifetime: number
  readonly pollMilliseconds: number
}

/**
 * The page with the QR code, while the wallet is waited for. Without a script its link and its
 * button work; it does not load itself again, which would take readers by surprise (WCAG 2.2.1).
 */
export function loginPage(texts: Texts, options: LoginPageOptions) {
  const { uid, clientName, redirectUri, remainingSeconds, lifetime } = options
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

function minutesAndSeconds(seconds: number): string {
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`
}
