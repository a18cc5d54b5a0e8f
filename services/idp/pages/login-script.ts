/**
 * The script of the page with the QR code: it asks for the state, counts down, and loads the page
 * again when there is an end to show. All that it says stands in the page already.
 */
export const loginScript = `'use strict'
const login = document.getElementById('login')
const status = document.getElementById('status')
const remaining = document.getElementById('remaining')
const bar = document.getElementById('bar')
const { session, poll, succeeded, lost, waiting } = login.dataset
const address = '/idp/api/auth/requests?session=' + encodeURIComponent(session)
const end = performance.now() + Number(login.dataset.remaining) * 1000
// Long enough to be seen, short enough not to be waited for.
const showSuccess = 600
let timer

function say(text) {
  if (status.textContent !== text) status.textContent = text
}

function countDown() {
  const seconds = Math.max(0, Math.ceil((end - performance.now()) / 1000))
  remaining.textContent = Math.floor(seconds / 60) + ':' + String(seconds % 60).padStart(2, '0')
  bar.value = seconds
}

async function ask() {
  try {
    const response = await fetch(address, { cache: 'no-store', credentials: 'omit' })
    if (response.status === 404) return 'FAILED'
    if (!response.ok) throw new Error()
    say(waiting)
    return (await response.json()).status
  } catch {
    say(lost)
    return 'PENDING'
  }
}

// The page itself knows what is next: back to the application, or why not.
function goOn() {
  location.replace(location.href)
}

async function watch() {
  clearTimeout(timer)
  const state = await ask()
  if (login.dataset.state !== 'pending') return
  if (state === 'PENDING') {
    clearTimeout(timer)
    timer = setTimeout(watch, Number(poll))
    return
  }
  login.dataset.state = state === 'SUCCESS' ? 'success' : 'ended'
  if (state !== 'SUCCESS') return goOn()
  document.getElementById('accepted-message').textContent = succeeded
  setTimeout(goOn, showSuccess)
}

countDown()
setInterval(countDown, 1000)
watch()
// Browsers slow down what is in the background: whoever comes back from the wallet need not wait.
document.addEventListener('visibilitychange', () => {
  if (!document.hidden && login.dataset.state === 'pending') watch()
})
// A page out of the browser's memory may show what is long over.
addEventListener('pageshow', (event) => {
  if (event.persisted) location.reload()
})
`
