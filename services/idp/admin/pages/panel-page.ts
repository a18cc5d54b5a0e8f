import { html, type SafeHtml } from '#core/html/html.ts'
import { page } from '#kit/page.ts'
import type { AdminSession } from '../find-admin-session.ts'
import { csrfField } from './csrf-field.ts'

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

export type Section = keyof typeof sections

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
