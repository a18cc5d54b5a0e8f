/**
 * The script of the person's page: it shows what there is to do as soon as that changes, and sends
 * answers without leaving the page. Without it links and forms do the same.
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
  if (!isOver) say('The kit does not answer. Is it still running?')
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
  text.textContent = 'Thank you. The report is where the kit was started.'
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
