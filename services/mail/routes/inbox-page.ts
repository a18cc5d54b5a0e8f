import { html } from '#core/html/html.ts'
import { defineRoute } from '#kit/define-route.ts'
import type { MailStore, MailSummary } from '../adapters/mail-store.ts'
import { pageHeaders, renderPage } from './render-page.ts'
import { showTime } from './show-time.ts'

const shownMails = 100
const shownRecipients = 10

export const inboxPage = defineRoute<MailStore>()({
  method: 'get',
  path: '/',
  summary: 'The inbox',
  auth: 'none',
  documented: false,
  responses: { 200: { description: 'Page with the newest mails', contentType: 'text/html' } },
  async handle(_input, store) {
    const [mails, total] = await Promise.all([store.listSummaries(shownMails), store.count()])
    const body = html`<h1>Inbox</h1>
${mails.length === 0 ? html`<p>No mail has arrived yet. This page looks again by itself.</p>` : renderMails(mails)}
${total > mails.length ? html`<p>These are the newest ${mails.length} of ${total} mails.</p>` : ''}`
    return {
      status: 200,
      body: renderPage('Inbox', body),
      contentType: 'text/html',
      headers: { ...pageHeaders, refresh: '5' },
    }
  },
})

function renderMails(mails: readonly MailSummary[]) {
  const items = mails.map(
    ({ id, to, receivedAt, subject }) =>
      html`<li><a href="/messages/${encodeURIComponent(id)}">
<span class="subject">${subject || '(no subject)'}</span>
<span class="to">${to.slice(0, shownRecipients).join(', ')}</span>
${showTime(receivedAt)}
</a></li>`,
  )
  return html`<ul class="mails">${items}</ul>`
}
