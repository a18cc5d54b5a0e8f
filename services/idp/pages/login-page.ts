import { html } from '#core/html/html.ts'
import { cancelForm, type LoginFrame } from './login-frame.ts'
import { page } from './page.ts'
import type { Texts } from './texts/texts.ts'

export interface LoginPageOptions extends LoginFrame {
  readonly qrPng: Uint8Array
  /** The openid4vp:// link. */
  readonly authorizationRequest: string
  readonly sessionCode: string
  readonly remainingSeconds: number
  readonly pollMilliseconds: number
}

/** The page with the QR code, while the wallet is waited for. */
export function loginPage(texts: Texts, options: LoginPageOptions) {
  const { uid, clientName, redirectUri, remainingSeconds } = options
  const image = `data:image/png;base64,${Buffer.from(options.qrPng).toString('base64')}`
  const self = `/accounts/interaction/${uid}`
  const body = html`<main class="card" id="login" data-state="pending"
  data-session="${options.sessionCode}" data-remaining="${remainingSeconds}"
  data-poll="${options.pollMilliseconds}"
  data-succeeded="${texts.succeeded}" data-lost="${texts.connectionLost}" data-waiting="${texts.waiting}">
<h1>${texts.title}</h1>
<p class="soft">${texts.toContinueTo} <strong>${clientName}</strong></p>
<figure>
<img id="qr" src="${image}" alt="${texts.qrAlternative}">
<figcaption>${texts.scan}</figcaption>
</figure>
<p class="timer">${texts.validFor} <time id="remaining">${minutesAndSeconds(remainingSeconds)}</time></p>
<p id="status" class="status" role="status">${texts.waiting}</p>
<a class="button primary" id="same-device" href="${options.authorizationRequest}">${texts.openWallet}</a>
<p class="soft small">${texts.openWalletHint}</p>
<ol class="small">${texts.steps.map((step) => html`<li>${step}</li>`)}</ol>
<noscript>
<p>${texts.withoutScript}</p>
<a class="button" href="${self}">${texts.continueLink}</a>
</noscript>
${cancelForm(texts, uid)}
</main>`
  const head = html`<noscript><meta http-equiv="refresh" content="5"></noscript>
<script src="/accounts/assets/login.js" defer></script>`
  return page(texts, { title: texts.title, body, head, formTarget: redirectUri })
}

function minutesAndSeconds(seconds: number): string {
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`
}
