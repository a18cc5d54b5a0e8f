// Keeps the notice about a modified test environment up to date on every page.
import { call } from './kit.js'
import { html, render } from './lit-html/lit-html.js'

const pauseMilliseconds = 4000
const place = document.getElementById('notice')
const { title, undo, silent, sentences } = JSON.parse(place?.dataset.notice ?? '{}')
let shown = JSON.stringify(sentences)
let isFromServer = true

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
    const content =
      sentences.length === 0
        ? ''
        : html`<div class="warning notice">
            <p><strong>${title}</strong> ${sentences.join(' ')}</p>
            <form data-call="POST /console/undo">
              <button class="button small">${undo}</button>
            </form>
          </div>`
    show(JSON.stringify(sentences), content)
  } catch ({ status, message }) {
    // After a restart, the testbed answers again, but not to this session.
    const problem = status === 401 ? message : silent
    show(problem, html`<p class="alert">${problem}</p>`)
  }
}

if (place) {
  setInterval(refresh, pauseMilliseconds)
  document.addEventListener('visibilitychange', refresh)
}
