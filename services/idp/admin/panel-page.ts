import { html, type SafeHtml, timeElement } from '#core/html/html.ts'
import { appStyle, barStyle } from '#core/html/styles.ts'
import { type Language, languageSwitch } from '#kit/language.ts'
import { page, pageBar } from '#kit/page.ts'
import type { AdminSession } from './admin-session.ts'
import { panelTexts } from './texts.ts'

export interface PanelPageOptions {
  readonly status?: number
  /** Of a page without a session. */
  readonly language?: Language
  readonly title: string
  readonly body: SafeHtml
  /** The logged-in administrator; without it, the page has neither menu nor logout. */
  readonly session?: AdminSession | undefined
  /** Without a session, the way back to the console of a testbed. */
  readonly consoleUrl?: string | undefined
  /** The page's entry in the menu. */
  readonly section?: Section
  /** Whether the page uses the panel's script. */
  readonly script?: boolean
}

const sections = {
  overview: '/admin/',
  clients: '/admin/clients',
  mappers: '/admin/mappers',
  sessions: '/admin/sessions',
  keys: '/admin/keys',
  account: '/admin/account',
} as const

type Section = keyof typeof sections

const serviceName = 'Credential IDP'

/** A page of the admin panel. */
export function panelPage(options: PanelPageOptions) {
  const { status = 200, title, body, session, section, script = false } = options
  const language = session?.language ?? options.language ?? 'en'
  const path = session === undefined ? '/admin/login' : sections[section ?? 'overview']
  const { console: consoleLabel } = panelTexts[language]
  const bar = session
    ? menu(session, section)
    : options.consoleUrl &&
      pageBar({ name: serviceName, consoleUrl: options.consoleUrl, consoleLabel })
  const reply = page({
    status,
    language,
    title: `${title} · ${serviceName}`,
    stylesheet: '/accounts/assets/panel.css',
    head: script ? html`<script src="/accounts/assets/panel.js" defer></script>` : html``,
    policy: script ? ["script-src 'self'", "connect-src 'self'"] : [],
    body: html`${bar}
<main id="main">
<h1>${title}</h1>
${body}
${languageSwitch(language, path)}
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
  const texts = panelTexts[session.language]
  const entries = Object.entries(texts.sections).map(
    ([name, label]) =>
      html`<li><a href="${sections[name as Section]}"${name === section && html` aria-current="page"`}>${label}</a></li>`,
  )
  return html`<a class="skip" href="#main">${texts.skip}</a>
${pageBar({
  name: serviceName,
  menu: html`<nav aria-label="${texts.menu}"><ul>${entries}</ul></nav>`,
  end: html`<form method="post" action="/admin/logout">
${csrfField(session.csrfToken)}
<button class="button quiet" type="submit">${texts.logOut} <span>${session.username}</span></button>
</form>`,
  consoleUrl: session.consoleUrl,
  consoleLabel: texts.console,
})}`
}

/** The confirmation of an action, which the page's address names. */
export function doneMessage({ language }: AdminSession, done: unknown): SafeHtml | undefined {
  const text = new Map(Object.entries(panelTexts[language].done)).get(String(done))
  return text === undefined ? undefined : html`<p class="done" role="status">${text}</p>`
}

/** A human-readable time, in UTC. */
export const timeOf = (seconds: number): SafeHtml => timeElement(seconds, 'minute')

export interface PanelErrorOptions {
  readonly language: Language
  readonly status: number
  /** Stable name of the error, for support requests. */
  readonly code: string
  readonly message: string
}

/** Reports a failed action. */
export function panelErrorPage({ language, status, code, message }: PanelErrorOptions) {
  const { requestFailed, backToPanel } = panelTexts[language]
  return panelPage({
    status,
    language,
    title: requestFailed,
    body: html`<p class="alert" role="alert" lang="en">${message}</p>
<p class="code">${code}</p>
<p><a href="/admin/">${backToPanel}</a></p>`,
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
export const panelStyle = `${appStyle}${barStyle}
main { max-width: 68rem; margin: 0 auto; padding: 1.5rem 1rem 4rem }
.bar .button { padding: .4rem .6rem }
.bar .button span { color: var(--ink); font-weight: 600 }
form > .button { margin-top: .5rem }
.card > p:last-child { margin-bottom: 0 }
.card.row { justify-content: space-between }
.figure { font-size: 1.8rem; font-weight: 600; margin: 0 }
dl.card { margin-bottom: 1rem }
dd.code, p.code, li .code, dt.code { color: var(--ink) }
.code.soft { color: var(--soft) }
.problems { margin: .25rem 0 .75rem; padding-left: 1.2rem; color: var(--alert) }
.problems .code { color: inherit }
.badge[data-status="SUCCESS"] { color: var(--good); background: var(--good-ground) }
.badge[data-status="FAILED"] { color: var(--alert); background: var(--alert-ground) }
.badge[data-status="PENDING"] { color: var(--wait); background: var(--wait-ground) }
ol p { margin: .15rem 0 }
`
