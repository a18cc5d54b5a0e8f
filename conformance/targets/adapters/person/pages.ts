import { emptyIcon, html, type SafeHtml } from '#core/html/html.ts'
import { pageStyle as base } from '#core/html/styles.ts'
import type { PersonTask } from '#scenarios/harness/z-person-question.ts'
import type { VerbAnswer } from '../call-verb.ts'
import { drawLink, taskWords } from './tasks.ts'

/** Asks the person with the wallet to perform one task at a time. */
export interface PersonDesk {
  /** The page's address, with an unguessable part. */
  readonly url: string
  /** Shows a task until it is answered or its time limit passes. Never rejects. */
  ask(
    task: Pick<PersonTask, 'verb' | 'link' | 'pin'>,
    limits: { readonly signal: AbortSignal; readonly timeoutMilliseconds: number },
  ): Promise<VerbAnswer>
  /** Informs open pages that the run is over. */
  close(): void
}

/** A whole page; its style and script are next to it. */
function page({
  title,
  version,
  body,
}: {
  readonly title: string
  /** Identifies what it shows: a different version makes the script fetch the page again. */
  readonly version: string
  readonly body: SafeHtml
}): SafeHtml {
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title}</title>
${emptyIcon}
<link rel="stylesheet" href="style.css">
<script src="script.js" defer></script>
</head>
<body data-version="${version}">
${body}
<p id="state" class="soft small" role="status"></p>
</body>
</html>`
}

export interface TaskPageOptions extends PersonTask {
  /** Identifies the task in the answer. */
  readonly id: string
  readonly targetName: string
}

/** The page of one task: the code, the link for the same device, and the possible answers. */
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
<form class="answers" method="post" action="answers">
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
<p class="soft small">The kit waits ${patience} for a response, then continues without one.</p>
</form>
</main>`,
  })
}

function codeFor(link: string): SafeHtml {
  const { image, isSafe } = drawLink(link)
  const button = isSafe
    ? html`<a class="button primary" id="same-device" href="${link}">Open in a wallet on this device</a>`
    : html`<p class="code">${link}</p>`
  if (image === undefined) return html`<p>The link is too long for a QR code.</p>${button}`
  return html`<figure>
<img id="qr" src="${image}" alt="QR code with the link for the wallet">
</figure>
${button}`
}

/** The page between two tasks. */
export function waitingPage(targetName: string, version: string): SafeHtml {
  return page({
    title: 'Waiting for the next step',
    version,
    body: html`<main class="card" id="waiting">
<p class="soft small">${targetName}</p>
<h1 tabindex="-1">Waiting for the next step</h1>
<p>The next code appears here automatically. Keep the wallet ready.</p>
<noscript><p><a class="button" href="">Reload</a></p></noscript>
</main>`,
  })
}

/** The style of the person's pages: the code is next to the text if the screen is wide enough. */
export const pageStyle = `${base}
h1:focus { outline: none }
h2 { margin: 0 0 .75rem; font-size: 1rem }
.pin { padding: .75rem .9rem; background: var(--inset); border-radius: 12px }
.pin strong { font: 600 1.15rem/1 var(--mono); letter-spacing: .1em }
.scan { margin: 1.25rem 0; padding: 1rem; background: var(--inset); border-radius: 16px }
.scan figure { margin: 0 }
.scan img {
  display: block; width: 100%; max-width: 21rem; margin: 0 auto; padding: .5rem;
  background: #fff; border-radius: 12px; image-rendering: pixelated;
}
.answers { margin: 0 }
.answers .button { margin: .6rem 0 0; background: var(--card) }
.answers .button.quiet { padding: .5rem }
.refusal { margin: .9rem 0; padding: .9rem; border: 1px solid var(--line); border-radius: 16px }
textarea {
  display: block; width: 100%; padding: .65rem .75rem; font: inherit; color: inherit;
  background: transparent; border: 1px solid var(--soft); border-radius: 12px; resize: vertical;
}
#state { position: fixed; bottom: .5rem; margin: 0; text-align: center }
#state:empty { display: none }
@media (min-width: 46rem) {
  .task.card {
    max-width: 56rem; padding: 2.25rem; display: grid; gap: 1rem 2.5rem;
    grid-template: auto 1fr / 1fr minmax(20rem, 24rem);
  }
  .task .scan { grid-row: 1 / span 2; grid-column: 2; margin: 0; align-self: start }
}
`

/**
 * The script of the person's page: it shows the current task as soon as that changes, and sends
 * answers without leaving the page. Without the script, links and forms do the same.
 */
export const pageScript = `'use strict'
const state = document.getElementById('state')
let isOver = false

function say(text) {
  if (state.textContent !== text) state.textContent = text
}

async function show() {
  const response = await fetch('./', { cache: 'no-store' })
  if (!response.ok) throw new Error()
  const next = new DOMParser().parseFromString(await response.text(), 'text/html')
  if (next.body.dataset.version === document.body.dataset.version) return
  document.title = next.title
  document.body.dataset.version = next.body.dataset.version
  document.querySelector('main').replaceWith(next.querySelector('main'))
  document.querySelector('h1').focus()
}

function lost() {
  if (!isOver) say('The kit does not respond. Is it still running?')
}

const events = new EventSource('events')
events.addEventListener('changed', ({ data }) => {
  say('')
  if (data !== document.body.dataset.version) show().catch(lost)
})
events.addEventListener('over', () => {
  isOver = true
  say('')
  events.close()
  const main = document.querySelector('main')
  main.className = 'card'
  main.id = 'over'
  const title = document.createElement('h1')
  title.tabIndex = -1
  title.textContent = document.title = 'The run is over'
  const text = document.createElement('p')
  text.textContent = 'Thank you. The report is on the computer that runs the kit.'
  main.replaceChildren(title, text)
  title.focus()
})
events.addEventListener('error', lost)

document.addEventListener('submit', (event) => {
  event.preventDefault()
  const body = new URLSearchParams(new FormData(event.target, event.submitter))
  fetch(event.target.action, { method: 'POST', body, redirect: 'manual' }).then(show).catch(lost)
})
`
