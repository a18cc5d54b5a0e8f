import { html, type SafeHtml } from '#core/html/html.ts'
import { page } from '#kit/page.ts'
import type { AdminSession } from './admin-session.ts'

export interface PanelPageOptions {
  readonly status?: number
  readonly title: string
  readonly body: SafeHtml
  /** Whoever is logged in; without, the page has neither menu nor logout. */
  readonly session?: AdminSession | undefined
  /** Entry of the menu that the page belongs to. */
  readonly section?: Section
  /** Whether the page has parts that the panel's script brings to life. */
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
  // Under the services' usual no-referrer browsers would send forms with "Origin: null".
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

/** What was done just now, where an address says so by name. */
export function doneMessage(done: unknown): SafeHtml | undefined {
  const text = messages.get(String(done))
  return text === undefined ? undefined : html`<p class="done" role="status">${text}</p>`
}

const messages = new Map([
  ['saved', 'Saved. It counts from now on.'],
  ['deleted', 'Deleted. It counts from now on.'],
  ['rotated', 'A new key signs from now on.'],
  ['password', 'The password was changed, and all other sessions ended.'],
])

/** A time as people read it, in UTC. */
export function timeOf(seconds: number): SafeHtml {
  const iso = new Date(seconds * 1000).toISOString()
  return html`<time datetime="${iso}">${iso.slice(0, 16).replace('T', ' ')} UTC</time>`
}

export interface PanelErrorOptions {
  readonly status: number
  /** Stable name of the error, for whoever reports it. */
  readonly code: string
  readonly message: string
}

/** Says what did not work. */
export function panelErrorPage({ status, code, message }: PanelErrorOptions) {
  return panelPage({
    status,
    title: 'That did not work',
    body: html`<p class="alert" role="alert">${message}</p>
<p class="code">${code}</p>
<p><a href="/admin/">Back to the panel</a></p>`,
  })
}
