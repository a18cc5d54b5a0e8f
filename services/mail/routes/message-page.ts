import { html } from '#core/html/html.ts'
import { defineRoute } from '#kit/define-route.ts'
import type { MailStore } from '../adapters/mail-store.ts'
import { type MailImage, readMail } from '../domain/read-mail.ts'
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
    const { subject, html: markup, text, images } = readMail(mail.data)
    const title = subject || '(no subject)'
    const source = `/api/v1/messages/${encodeURIComponent(mail.id)}/download`
    // The mail's markup stands in a frame without any rights, and the page's policy holds there too.
    const shown = markup
      ? html`<iframe sandbox="" title="The mail" srcdoc="${inlineImages(markup, images)}"></iframe>`
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

/** Puts each image where it is named first, so that a page is not much larger than its mail. */
function inlineImages(markup: string, images: ReadonlyMap<string, MailImage>): string {
  const left = new Map(images)
  return markup.replace(/cid:([^"'\s>)]+)/g, (whole, contentId: string) => {
    const image = left.get(contentId)
    if (image === undefined) return whole
    left.delete(contentId)
    return `data:${image.mediaType};base64,${image.base64}`
  })
}
