import { html, type SafeHtml } from '#core/html/html.ts'
import { pageStyle } from '#core/html/page-style.ts'
import { page } from '#kit/page.ts'
import type { AdminSession } from './admin-session.ts'

export interface PanelPageOptions {
  readonly status?: number
  readonly title: string
  readonly body: SafeHtml
  /** The logged-in administrator; without it, the page has neither menu nor logout. */
  readonly session?: AdminSession | undefined
  /** The page's entry in the menu. */
  readonly section?: Section
  /** Whether the page uses the panel's script. */
  readonly script?: boolean
}

const sections = {
  overview: ['/admin/', 'Overview'],
  clients: ['/admin/clients', 'Clients'],
  mappers: ['/admin/mappers', 'Claims'],
  sessions: ['/admin/sessions', 'Sessions'],
  keys: ['/admin/keys', 'Signing keys'],
  account: ['/admin/account', 'Account'],
} as const

type Section = keyof typeof sections

/** A page of the admin panel. */
export function panelPage(options: PanelPageOptions) {
  const { status = 200, title, body, session, section, script = false } = options
  const reply = page({
    status,
    title: `${title} · Credential IDP`,
    stylesheet: '/accounts/assets/panel.css',
    head: script ? html`<script src="/accounts/assets/panel.js" defer></script>` : html``,
    policy: script ? ["script-src 'self'", "connect-src 'self'"] : [],
    body: html`${session && menu(session, section)}
<main id="main">
<h1>${title}</h1>
${body}
</main>`,
  })
  // With the services' usual no-referrer, browsers would send forms with "Origin: null".
  return { ...reply, headers: { ...reply.headers, 'referrer-policy': 'same-origin' } }
}

/** The field that every form of the panel has. */
export function csrfField(token: string): SafeHtml {
  return html`<input type="hidden" name="csrf_token" value="${token}">`
}

function menu(session: AdminSession, section: Section | undefined): SafeHtml {
  const entries = Object.entries(sections).map(
    ([name, [path, label]]) =>
      html`<li><a href="${path}"${name === section && html` aria-current="page"`}>${label}</a></li>`,
  )
  return html`<a class="skip" href="#main">Skip to content</a>
<header class="bar">
<p class="brand">Credential IDP</p>
<nav aria-label="Panel"><ul>${entries}</ul></nav>
<form method="post" action="/admin/logout">
${csrfField(session.csrfToken)}
<button class="button quiet" type="submit">Log out <span>${session.username}</span></button>
</form>
</header>`
}

/** The confirmation of an action, which the page's address names. */
export function doneMessage(done: unknown): SafeHtml | undefined {
  const text = messages.get(String(done))
  return text === undefined ? undefined : html`<p class="done" role="status">${text}</p>`
}

const messages = new Map([
  ['saved', 'Saved. The change applies immediately.'],
  ['deleted', 'Deleted. The change applies immediately.'],
  ['rotated', 'The new key now signs tokens.'],
  ['password', 'The password was changed. All other sessions were ended.'],
])

/** A human-readable time, in UTC. */
export function timeOf(seconds: number): SafeHtml {
  const iso = new Date(seconds * 1000).toISOString()
  return html`<time datetime="${iso}">${iso.slice(0, 16).replace('T', ' ')} UTC</time>`
}

export interface PanelErrorOptions {
  readonly status: number
  /** Stable name of the error, for support requests. */
  readonly code: string
  readonly message: string
}

/** Reports a failed action. */
export function panelErrorPage({ status, code, message }: PanelErrorOptions) {
  return panelPage({
    status,
    title: 'Request failed',
    body: html`<p class="alert" role="alert">${message}</p>
<p class="code">${code}</p>
<p><a href="/admin/">Back to the panel</a></p>`,
  })
}

/**
 * The script of the mappers' page: updates the preview on every change of the text. The server
 * creates the preview; without the script, the button shows it.
 */
export const panelScript = `'use strict'
const form = document.getElementById('mappers')
const preview = document.getElementById('preview')
let timer
let latest = 0

async function show() {
  const turn = ++latest
  try {
    const response = await fetch(form.dataset.preview, {
      method: 'POST',
      body: new URLSearchParams(new FormData(form)),
      redirect: 'error',
    })
    const markup = await response.text()
    if (response.ok && turn === latest) preview.innerHTML = markup
  } catch {
    // Keep the last preview; the next change asks again.
  }
}

form.addEventListener('input', () => {
  clearTimeout(timer)
  timer = setTimeout(show, 250)
})
`

/** The style of the admin panel: a bar with the menu, then cards; for phone and desktop. */
export const panelStyle = `${pageStyle}
:root {
  --wait: light-dark(#5c4300, #f2d083);
  --wait-ground: light-dark(#fbf1d8, #352a0c);
}
body { display: block; place-items: normal; padding: 0 }
main { max-width: 64rem; margin: 0 auto; padding: 1.5rem 1rem 4rem }
main > h1 { font-size: 1.6rem; margin: 0 0 1rem }
h3 { margin: 1rem 0 .25rem; font-size: .95rem; color: var(--soft) }
h2 { margin: 0 0 .5rem; font-size: 1.1rem }
a { color: var(--accent) }
.card { max-width: none; padding: 1.25rem; margin: 0 0 1rem; border-radius: 12px; box-shadow: none }
.narrow { max-width: 26rem }
.skip { position: absolute; left: -999px }
.skip:focus { left: .5rem; top: .5rem; padding: .5rem; background: var(--card) }
.bar {
  display: flex; flex-wrap: wrap; align-items: center; gap: .25rem 1.25rem; padding: .5rem 1rem;
  background: var(--card); border-bottom: 1px solid var(--line);
}
.bar .brand { margin: 0; font-weight: 700 }
.bar nav { flex: 1 1 auto }
.bar ul, .filters { display: flex; flex-wrap: wrap; gap: .25rem; margin: 0; padding: 0; list-style: none }
.bar li a, .filters a { display: block; padding: .4rem .6rem; border-radius: 8px; color: var(--ink); text-decoration: none }
.bar a[aria-current], .filters a[aria-current] { background: var(--ground); font-weight: 600; text-decoration: underline }
.bar form { margin: 0 }
.bar .button span { color: var(--ink); font-weight: 600 }
.filters { margin: 0 0 1rem }
.button { display: inline-block; width: auto; margin: 0; padding: .6rem 1rem }
form > .button { margin-top: .5rem }
.button.danger { color: var(--alert); border-color: var(--alert) }
.actions { display: flex; flex-wrap: wrap; gap: .5rem; margin: .75rem 0 0 }
.list { margin: 0; padding: 0; list-style: none }
.tiles { display: grid; gap: 1rem; grid-template-columns: repeat(auto-fill, minmax(14rem, 1fr)) }
.tiles .card { margin: 0 }
.figure { font-size: 1.8rem; font-weight: 600; margin: 0 }
.row { display: flex; flex-wrap: wrap; gap: .25rem 1.5rem; justify-content: space-between }
.row p { margin: 0 }
dl { margin: 0; display: grid; grid-template-columns: minmax(8rem, max-content) 1fr; gap: .35rem 1rem }
dl.card { margin-bottom: 1rem }
dt { color: var(--soft) }
dd { margin: 0; min-width: 0 }
dd.code, p.code, li .code, dt.code { color: var(--ink) }
.code.soft { color: var(--soft) }
input, textarea { margin: 0 0 1rem }
textarea {
  display: block; width: 100%; padding: .65rem .75rem; color: inherit; background: transparent;
  border: 1px solid var(--soft); border-radius: 10px; font: .85rem/1.6 ui-monospace, monospace;
}
[aria-invalid="true"] { border-color: var(--alert); border-width: 2px }
fieldset { margin: 0 0 1rem; padding: 0; border: 0 }
legend { padding: 0; font-weight: 600; font-size: .9rem }
.choice { display: flex; gap: .5rem; align-items: baseline; margin: .25rem 0; font-weight: 400 }
.choice input { width: auto; margin: 0 }
.problems { margin: .25rem 0 .75rem; padding-left: 1.2rem; color: var(--alert) }
.problems .code { color: inherit }
.fault { color: var(--alert) }
.done { margin: 0 0 1rem; padding: .75rem .9rem; border-radius: 10px; color: var(--good); background: var(--good-ground) }
.badge { display: inline-block; padding: .1rem .55rem; border-radius: 99px; font-size: .8rem; white-space: nowrap }
.badge[data-status="SUCCESS"] { color: var(--good); background: var(--good-ground) }
.badge[data-status="FAILED"] { color: var(--alert); background: var(--alert-ground) }
.badge[data-status="PENDING"] { color: var(--wait); background: var(--wait-ground) }
.columns { display: grid; gap: 1rem; align-items: start }
.rules { margin: 0; padding: 0; list-style: none }
.rules li { padding: .6rem 0; border-top: 1px solid var(--line) }
.rules li:first-child { border-top: 0 }
.rules p, ol p { margin: .15rem 0 }
details { margin: .75rem 0 0 }
summary { cursor: pointer; color: var(--accent) }
pre { margin: .5rem 0 0; padding: .75rem; overflow: auto; max-height: 24rem; background: var(--ground); border-radius: 8px; font-size: .8rem }
:is(a, textarea, pre):focus-visible { outline: 3px solid var(--accent); outline-offset: 2px }
@media (min-width: 52rem) { .columns { grid-template-columns: 1fr 1fr } }
@media (max-width: 30rem) { dl { grid-template-columns: 1fr; gap: 0 } dd { margin-bottom: .5rem } }
`
