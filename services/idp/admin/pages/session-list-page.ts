import { html } from '#core/html/html.ts'
import type { LoginList } from '../../adapters/login-store.ts'
import type { AdminSession } from '../find-admin-session.ts'
import { clientNameOf } from './client-name-of.ts'
import { panelPage } from './panel-page.ts'
import { statusBadge } from './status-badge.ts'
import { timeOf } from './time-of.ts'

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
    section: 'sessions',
    body: html`<ul class="filters" aria-label="Status">
${filter(undefined, 'All')}${filter('PENDING', 'Pending')}${filter('SUCCESS', 'Success')}${filter('FAILED', 'Failed')}
</ul>
${list.logins.length === 0 && html`<p class="soft">There is none.</p>`}
<ul class="list">${list.logins.map(
      (login) => html`<li class="card row">
<p>${statusBadge(login, now)} <a href="/admin/sessions/${login.session_code}">${timeOf(login.created_at)}</a></p>
<p>${clientNameOf(login, clientNames)}${login.attempt > 1 && html` <span class="soft">code ${login.attempt}</span>`}</p>
</li>`,
    )}</ul>
<p class="actions">
${page > 0 && html`<a class="button" href="${addressOf(status, page - 1)}">Newer</a>`}
${list.hasMore && html`<a class="button" href="${addressOf(status, page + 1)}">Older</a>`}
</p>`,
  })
}

function addressOf(status: string | undefined, page: number): string {
  const query = new URLSearchParams()
  if (status !== undefined) query.set('status', status)
  if (page > 0) query.set('page', String(page))
  return `/admin/sessions${query.size === 0 ? '' : `?${query}`}`
}
