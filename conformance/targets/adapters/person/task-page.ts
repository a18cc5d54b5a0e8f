import { html, type SafeHtml } from '#core/html/html.ts'
import { createQrPng } from '#core/qr/qr-code.ts'
import { page } from './page.ts'
import type { PersonTask } from './person-desk.ts'
import { taskWords } from './task-words.ts'

export interface TaskPageOptions extends PersonTask {
  /** Which task it is, for the answer to name it. */
  readonly id: string
  /** How many were asked before it, and one. */
  readonly number: number
  readonly targetName: string
  readonly timeoutMilliseconds: number
}

/** Schemes that a browser acts upon itself, with whatever the link says. */
const unsafeScheme = /^\s*(?:javascript|data|vbscript|blob|file|about|view-source):/i
const longestInQr = 2953

/** The page that asks for one thing: the code, the link for the same device, and what may be told. */
export function taskPage(options: TaskPageOptions): SafeHtml {
  const { id, number, verb, link, pin, targetName, timeoutMilliseconds } = options
  const { title, about, answers } = taskWords[verb]
  const seconds = Math.round(timeoutMilliseconds / 1000)
  const patience = seconds < 120 ? `${seconds} seconds` : `${Math.floor(seconds / 60)} minutes`
  return page({
    title,
    version: id,
    body: html`<main class="card task" id="task">
<div class="words">
<p class="soft small">${targetName} · step ${number}</p>
<h1 tabindex="-1">${title}</h1>
<p>${about}</p>
${pin === undefined ? '' : html`<p class="pin">If the wallet asks for a PIN: <strong>${pin}</strong></p>`}
</div>
<div class="scan">${codeFor(link)}</div>
<form class="told" method="post" action="answers">
<input type="hidden" name="task" value="${id}">
<h2>What did the wallet do?</h2>
<button class="button" name="did" value="accepted">${answers.accepted}</button>
<div class="refusal">
<label for="why">What it said when it refused (if anything)</label>
<textarea id="why" name="why" rows="2" maxlength="2000"></textarea>
<button class="button" name="did" value="refused">${answers.refused}</button>
</div>
<button class="button" name="did" value="nothing">${answers.nothing}</button>
<button class="button quiet" name="did" value="skipped">${answers.skipped}</button>
<p class="soft small">The kit waits ${patience} for an answer, and goes on without one then.</p>
</form>
</main>`,
  })
}

function codeFor(link: string): SafeHtml {
  const button = unsafeScheme.test(link)
    ? html`<p class="code">${link}</p>`
    : html`<a class="button primary" id="same-device" href="${link}">Open in a wallet on this device</a>`
  if (Buffer.byteLength(link) > longestInQr) {
    return html`<p>The link is too long for a QR code.</p>${button}`
  }
  const image = `data:image/png;base64,${createQrPng(link).toString('base64')}`
  return html`<figure>
<img id="qr" src="${image}" alt="QR code with the link for the wallet">
</figure>
${button}`
}
