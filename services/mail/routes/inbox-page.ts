import { html } from '#core/html/html.ts'
import { defineRoute } from '#kit/define-route.ts'
import type { MailStore } from '../adapters/mail-store.ts'
import { readMail } from '../domain/read-mail.ts'
import { pageHeaders, renderPage } from './render-page.ts'

const shownMails = 100

export const inboxPage = defineRoute<MailStore>()({
  method: 'get',
  path: '/',
  summary: 'The inbox',
  auth: 'none',
  documented: false,
  responses: { 200: { description: 'Page with the newest mails', contentType: 'text/html' } },
  async handle(_input, store) {
    const mails = await store.list({ limit: shownMails })
    const rows = await Promise.all(
      mails.map(async ({ id, to, receivedAt, data }) => {
        const { subject } = await readMail(data)
        return html`<tr>
<td><a href="/messages/${encodeURIComponent(id)}">${subject || '(no subject)'}</a></td>
<td>${to.join(', ')}</td>
<td><time>${new Date(receivedAt).toISOString()}</time></td>
</tr>`
      }),
    )
    const body = html`<h1>Inbox</h1>
${mails.length === 0 ? html`<p>No mail has arrived yet.</p>` : ''}
<table>
<thead><tr><th>Subject</th><th>To</th><th>Received</th></tr></thead>
<tbody>${rows}</tbody>
</table>`
    return {
      status: 200,
      body: renderPage('Inbox', body),
      contentType: 'text/html',
      headers: { ...pageHeaders, refresh: '5' },
    }
  },
})
