import type { Attachment } from 'postal-mime'
import { html } from '#core/html/html.ts'
import { defineRoute } from '#kit/define-route.ts'
import type { MailStore } from '../adapters/mail-store.ts'
import { readMail } from '../domain/read-mail.ts'
import { mailNotFound } from './mail-not-found.ts'
import { pageHeaders, renderPage } from './render-page.ts'
import { showTime } from './show-time.ts'
import { zMessageId } from './z-messages.ts'

export const messagePage = defineRoute<MailStore>()({
  method: 'get',
  path: '/messages/:id',
  summary: 'One mail as a person sees it',
  auth: 'none',
  documented: false,
  request: { params: zMessageId },
  responses: { 200: { description: 'Page with the mail', contentType: 'text/html' } },
  errors: ['not_found'],
  async handle({ params }, store) {
    const mail = await store.find(params.id)
    if (!mail) throw mailNotFound()
    const { subject, html: markup, text, attachments } = await readMail(mail.data)
    const title = subject || '(no subject)'
    const source = `/api/v1/messages/${encodeURIComponent(mail.id)}/download`
    // The mail's markup stands in a frame without any rights, and the page's policy holds there too.
    const shown = markup
      ? html`<iframe sandbox="" title="The mail" srcdoc="${inlineImages(markup, attachments)}"></iframe>`
      : ''
    const body = html`<p><a href="/">Inbox</a></p>
<h1>${title}</h1>
<p class="envelope">From ${mail.from} to ${mail.to.join(', ')}, ${showTime(mail.receivedAt)}, <a href="${source}">source</a></p>
${shown}
${text ? html`<h2>Text</h2><pre tabindex="0">${text}</pre>` : ''}`
    return {
      status: 200,
      body: renderPage(title, body),
      contentType: 'text/html',
      headers: pageHeaders,
    }
  },
})

function inlineImages(markup: string, attachments: readonly Attachment[]): string {
  return markup.replace(/cid:([^"'\s>)]+)/g, (whole, contentId: string) => {
    const image = attachments.find((attachment) => attachment.contentId === `<${contentId}>`)
    if (!image || !/^image\/(png|jpeg|gif)$/.test(image.mimeType)) return whole
    const bytes = Buffer.from(image.content as Uint8Array)
    return `data:${image.mimeType};base64,${bytes.toString('base64')}`
  })
}
