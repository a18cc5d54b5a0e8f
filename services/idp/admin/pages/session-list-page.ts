import { html, type SafeHtml } from '#core/html/html.ts'
import type { Login } from '../../adapters/create-login-store.ts'
import type { LoginList } from '../../adapters/list-logins.ts'
import { loginStatus } from '../../domain/login-status.ts'
import type { AdminSession } from '../answer-admin.ts'
import { panelPage, timeOf } from './panel-page.ts'

const section = 'sessions'

export interface SessionListOptions {
  readonly session: AdminSession
  readonly list: LoginList
  readonly status: string | undefined
  /** From 0. */
  readonly page: number
  /** Names of the clients by their id. */
  readonly clientNames: ReadonlyMap<string, string>
  /** Unix seconds. */
  readonly now: number
}

/** The verification sessions, newest first. */
export function sessionListPage(options: SessionListOptions) {
  const { session, list, status, page, clientNames, now } = options
  const filter = (value: string | undefined, label: string) =>
    html`<li><a href="${addressOf(value, 0)}"${value === status && html` aria-current="true"`}>${label}</a></li>`
  return panelPage({
    title: 'Verification sessions',
    session,
    section,
    body: html`<ul class="filters" aria-label="Status">
${filter(undefined, 'All')}${filter('PENDING', 'Pending')}${filter('SUCCESS', 'Success')}${filter('FAILED', 'Failed')}
</ul>
${list.logins.length === 0 && html`<p class="soft">There is none.</p>`}
<ul class="list">${list.logins.map(
      (login) => html`<li class="card row">
<p>${statusBadge(login, now)} <a href="/admin/sessions/${login.session_code}">${timeOf(login.created_at)}</a></p>
<p>${nameOf(login, clientNames)}${login.attempt > 1 && html` <span class="soft">code ${login.attempt}</span>`}</p>
</li>`,
    )}</ul>
<p class="actions">
${page > 0 && html`<a class="button" href="${addressOf(status, page - 1)}">Newer</a>`}
${list.hasMore && html`<a class="button" href="${addressOf(status, page + 1)}">Older</a>`}
</p>`,
  })
}

/** How a session stands, in a word and not by colour alone. */
export function statusBadge(login: Login, now: number): SafeHtml {
  const status = loginStatus(login, now)
  const isExpired = status === 'FAILED' && login.status === 'PENDING'
  return html`<strong class="badge" data-status="${status}">${isExpired ? 'FAILED (expired)' : status}</strong>`
}

/** The client of a session: its name, or its id where it is no more. */
export function nameOf(
  { client_id: clientId }: Login,
  clientNames: ReadonlyMap<string, string>,
): string {
  if (clientId === null) return 'unknown client'
  return clientNames.get(clientId) ?? clientId
}

function addressOf(status: string | undefined, page: number): string {
  const query = new URLSearchParams()
  if (status !== undefined) query.set('status', status)
  if (page > 0) query.set('page', String(page))
  return `/admin/sessions${query.size === 0 ? '' : `?${query}`}`
}
