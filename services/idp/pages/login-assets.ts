import { pageStyle } from '#core/html/styles.ts'

/**
 * The script of the page with the QR code: it polls the state, counts down, and reloads the page
 * when the login has ended. The page contains all of its texts.
 */
export const loginScript = `'use strict'
const login = document.getElementById('login')
const status = document.getElementById('status')
const remaining = document.getElementById('remaining')
const bar = document.getElementById('bar')
const { session, poll, succeeded, lost, waiting } = login.dataset
const address = '/idp/api/auth/requests?session=' + encodeURIComponent(session)
const end = performance.now() + Number(login.dataset.remaining) * 1000
// Long enough to be seen, short enough not to delay the login.
const showSuccess = 600
// A connection that was lost without an end never answers, and the next question may.
const longestAnswer = 10000
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
    const signal = AbortSignal.timeout(longestAnswer)
    const response = await fetch(address, { cache: 'no-store', credentials: 'omit', signal })
    if (response.status === 404) return 'FAILED'
    if (!response.ok) throw new Error()
    say(waiting)
    return (await response.json()).status
  } catch {
    say(lost)
    return 'PENDING'
  }
}

// The server decides what is next: back to the application, or the reason for the failure.
function proceed() {
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
  if (state !== 'SUCCESS') return proceed()
  document.getElementById('accepted-message').textContent = succeeded
  setTimeout(proceed, showSuccess)
}

countDown()
setInterval(countDown, 1000)
watch()
// Browsers throttle background tabs: poll immediately when the user returns from the wallet.
document.addEventListener('visibilitychange', () => {
  if (!document.hidden && login.dataset.state === 'pending') watch()
})
// A page restored from the browser's cache may be long out of date.
addEventListener('pageshow', (event) => {
  if (event.persisted) location.reload()
})
`

/** The style of the login pages: the code next to the text on wide screens. */
export const loginStyle = `${pageStyle}
.login h1 + p { margin-top: .25rem }
.steps { margin: 1.25rem 0 0; padding: 0; list-style: none; counter-reset: step; color: var(--soft) }
.steps li { position: relative; margin: .6rem 0; padding-left: 2.1rem; counter-increment: step }
.steps li::before {
  content: counter(step); position: absolute; left: 0; top: .05rem; width: 1.45rem; height: 1.45rem;
  display: grid; place-items: center; border-radius: 50%; background: var(--inset);
  border: 1px solid var(--line); color: var(--ink); font-size: .8rem; font-weight: 600;
}
.scan { margin: 1.25rem 0 0; padding: 1rem; background: var(--inset); border-radius: 16px }
.scan figure { margin: 0; text-align: center }
.scan img {
  display: block; width: 100%; max-width: 19rem; margin: 0 auto .75rem; padding: .25rem;
  background: #fff; border-radius: 12px; image-rendering: pixelated;
}
figcaption { font-weight: 600 }
progress {
  display: block; width: 100%; height: 4px; margin: .75rem 0 0; border: 0; border-radius: 2px;
  appearance: none; background: var(--line); overflow: hidden;
}
progress::-webkit-progress-bar { background: var(--line) }
progress::-webkit-progress-value { background: var(--accent) }
progress::-moz-progress-bar { background: var(--accent) }
.timer { margin: .6rem 0 0; text-align: center; font-size: .9rem; color: var(--soft) }
.timer time { color: var(--ink); font-weight: 600; font-variant-numeric: tabular-nums }
.status {
  display: flex; align-items: center; justify-content: center; gap: .6rem; margin: .75rem 0 0;
  color: var(--soft); font-size: .9rem; text-align: center;
}
.status::before {
  content: ""; flex: none; width: .55rem; height: .55rem; border-radius: 50%;
  background: var(--accent); animation: breathe 2.4s ease-in-out infinite;
}
@keyframes breathe { 50% { opacity: .25; transform: scale(.8) } }
.same-device { margin: 1.25rem 0 0 }
.same-device p { margin: 0 }
.same-device .button { margin-top: .5rem }
.end { text-align: center }
.icon {
  display: block; width: 3.5rem; height: 3.5rem; margin: 0 auto 1rem; padding: .9rem; border-radius: 50%;
  fill: none; stroke: currentColor; stroke-width: 2.4; stroke-linecap: round; stroke-linejoin: round;
}
.icon.good { color: var(--good); background: var(--good-ground) }
.icon.bad { color: var(--alert); background: var(--alert-ground) }
.icon.calm { color: var(--accent); background: var(--inset) }
.end .reason { margin: 1rem 0 1.25rem; font-size: 1.05rem }
.end p { text-wrap: balance }
ul.code { margin: .5rem 0 0; padding-left: 1.1rem }
details { margin: 1.25rem 0 0; text-align: left }
summary { cursor: pointer; color: var(--soft); font-size: .875rem; border-radius: 6px }
[data-state="success"] > :not(#accepted), [data-state="pending"] > #accepted { display: none }
@media (min-width: 46rem) {
  .login.card {
    max-width: 54rem; padding: 2.5rem; display: grid; column-gap: 2.5rem;
    grid-template: auto 1fr auto / 1fr minmax(18rem, 22rem);
  }
  .login .scan { grid-row: 1 / span 3; grid-column: 2; margin: 0; padding: 1.25rem }
  .words { margin-top: 1rem }
  .leave { display: flex; flex-wrap: wrap; align-items: baseline; justify-content: space-between }
  .leave noscript { flex-basis: 100% }
  .leave .button.quiet { width: auto; padding-left: 0 }
  .login[data-state="success"] { display: block; max-width: 26rem }
}
@media (prefers-reduced-motion: reduce) { .status::before { animation: none } }
`
