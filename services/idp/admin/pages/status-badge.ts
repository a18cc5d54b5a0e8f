import { html, type SafeHtml } from '#core/html/html.ts'
import type { Login } from '../../adapters/login-store.ts'
import { loginStatus } from '../../domain/login.ts'

/** How a session stands, in a word and not by colour alone. */
export function statusBadge(login: Login, now: number): SafeHtml {
  const status = loginStatus(login, now)
  const isExpired = status === 'FAILED' && login.status === 'PENDING'
  return html`<strong class="badge" data-status="${status}">${isExpired ? 'FAILED (expired)' : status}</strong>`
}
