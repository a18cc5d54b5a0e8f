// Keeps the notice about a modified test environment up to date on every page.
import { call } from './kit.js'
import { html, render } from './lit-html/lit-html.js'

const pauseMilliseconds = 4000
const place = document.getElementById('notice')
const { title, undo, silent, reopened, reload, sentences } = JSON.parse(
  place?.dataset.notice ?? '{}',
)
let shown = JSON.stringify(sentences)
let isFromServer = true
let hasEnded = false

function show(next, content) {
  if (next === shown) return
  shown = next
  if (isFromServer) place.replaceChildren()
  isFromServer = false
  render(content, place)
}

async function refresh() {
  if (document.hidden) return
  try {
    const { sentences } = await call('GET', '/console/notice')
    // The person opened the console again, elsewhere in this browser: streams of this page have
    // ended, and what it shows is from before. What was typed into it is not lost until they say so.
    if (hasEnded) {
      return show(
        reopened,
        html`<div class="warning notice">
          <p>${reopened}</p>
          <button type="button" class="button small" @click=${() => location.reload()}>${reload}</button>
        </div>`,
      )
    }
    const content =
      sentences.length === 0
        ? ''
        : html`<div class="warning notice">
            <p><strong>${title}</strong> ${sentences.join(' ')}</p>
            <form data-call="POST /console/undo">
              <button class="button small">${undo}</button>
            </form>
          </div>`
    const isNew = JSON.stringify(sentences) !== shown
    show(JSON.stringify(sentences), content)
    if (isNew) dispatchEvent(new Event('modified'))
  } catch ({ status, message }) {
    // After a restart, the testbed answers again, but not to this session.
    hasEnded ||= status === 401
    const problem = status === 401 ? message : silent
    show(problem, html`<p class="alert">${problem}</p>`)
  }
}

if (place) {
  setInterval(refresh, pauseMilliseconds)
  document.addEventListener('visibilitychange', refresh)
}
