import { html, type SafeHtml } from '#core/html/html.ts'
import type { Reply } from '#kit/define-route.ts'
import { asSentence } from '../frame/as-sentence.ts'
import { consolePage, type Frame, scrollable } from '../frame/page.ts'
import { frameTexts } from '../frame/rooms.ts'
import type { Session } from './read-sessions.ts'
import { sessionTexts } from './texts.ts'

export interface SessionListOptions {
  readonly sessions: readonly Session[]
  readonly hasMore: boolean
  readonly status?: Session['status'] | undefined
  /** From 0. */
  readonly page: number
}

/** The logins, newest first: who presented a credential, where, and why it was rejected. */
export function sessionListPage(frame: Frame, options: SessionListOptions): Reply {
  const { sessions, hasMore, status, page } = options
  const texts = sessionTexts[frame.language]
  const address = (chosen: string | undefined, number: number) => {
    const query = new URLSearchParams({ env: frame.environment })
    if (chosen !== undefined) query.set('status', chosen)
    if (number > 0) query.set('page', String(number))
    return `/sessions?${query}`
  }
  const filter = (value: Session['status'] | undefined) =>
    html`<li><a href="${address(value, 0)}"${value === status && html` aria-current="true"`}>${texts.filters[value ?? 'ALL']}</a></li>`
  return consolePage(frame, {
    title: frameTexts[frame.language].rooms.sessions,
    room: 'sessions',
    style: 'sessions.css',
    body: html`<p class="lead">${texts.lead}</p>
<div class="row apart">
<ul class="filters" aria-label="${texts.filter}">${filter(undefined)}${filter('SUCCESS')}${filter('FAILED')}${filter('PENDING')}</ul>
${adminPanelForm(frame)}
</div>
${sessions.length === 0 ? html`<p class="soft card">${status === undefined ? texts.none : texts.noneOfOutcome}</p>` : sessionTable(frame, sessions)}
<p class="actions">
${page > 0 && html`<a class="button" href="${address(status, page - 1)}">${texts.newer}</a>`}
${hasMore && html`<a class="button" href="${address(status, page + 1)}">${texts.older}</a>`}
</p>`,
  })
}

/** The way into the admin panel of the IDP, without its password. */
export function adminPanelForm({ language, environment }: Frame): SafeHtml {
  const { adminPanel, adminPanelHint } = sessionTexts[language]
  return html`<form data-call="POST /console/admin-links/${environment}">
<button class="button" id="admin-panel" title="${adminPanelHint}">${adminPanel}</button>
</form>`
}

function sessionTable(frame: Frame, sessions: readonly Session[]): SafeHtml {
  const texts = sessionTexts[frame.language]
  const heads = [
    texts.outcome,
    texts.time,
    texts.person,
    texts.organization,
    texts.client,
    texts.reason,
  ]
  return scrollable(
    texts.table,
    html`<table class="sessions">
<thead><tr>${heads.map((head) => html`<th scope="col">${head}</th>`)}</tr></thead>
<tbody>${sessions.map(
      (session) => html`<tr>
<td>${outcomeBadge(frame, session)}</td>
<td class="time"><a href="/sessions/${frame.environment}/${session.code}">${timeOf(session.createdAt)}</a></td>
<td>${session.person}</td>
<td>${session.organization}</td>
<td>${session.client}</td>
<td>${reasonOf(frame, session)}</td>
</tr>`,
    )}</tbody>
</table>`,
  )
}

function reasonOf({ language }: Frame, { failures }: Session): SafeHtml | undefined {
  const [silent] = failures.unavailable
  const [cause] = failures.broken
  if (silent !== undefined) return html`${sessionTexts[language].noResponse} ${silent}`
  return (
    cause &&
    html`<span lang="en">${asSentence(cause.reason)}</span><br><code class="soft">${cause.rule}</code>`
  )
}

/** The outcome as text and as a colour. */
export function outcomeBadge({ language }: Frame, { status, isExpired }: Session): SafeHtml {
  const { states } = sessionTexts[language]
  const tone = status === 'SUCCESS' ? 'good' : status === 'FAILED' ? 'bad' : 'wait'
  return html`<strong class="badge ${isExpired ? 'wait' : tone}" data-status="${status}">${states[isExpired ? 'expired' : status]}</strong>`
}

/** A time (Unix seconds) for readers and machines, in UTC. */
export function timeOf(seconds: number): SafeHtml {
  const iso = new Date(seconds * 1000).toISOString()
  return html`<time datetime="${iso}">${iso.slice(0, 19).replace('T', ' ')} UTC</time>`
}
