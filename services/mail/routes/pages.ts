import { html, type SafeHtml } from '#core/html/html.ts'
import { defineRoute } from '#kit/define-route.ts'
import type { MailStore, MailSummary } from '../adapters/mail-store.ts'
import { type MailImage, readMail } from '../domain/read-mail.ts'
import { requireMail, zMessageId } from './messages.ts'

/** The markup of an email must not load scripts or remote images. */
const pageHeaders = {
  'content-security-policy':
    "default-src 'none'; style-src 'unsafe-inline'; img-src data:; frame-ancestors 'none'; base-uri 'none'; form-action 'none'",
}

/** The layout of the mail server's pages. */
function renderPage(title: string, body: SafeHtml): string {
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title}</title>
<style>
body { font: 16px/1.5 system-ui, sans-serif; color: #1a1a1a; background: #fff; max-width: 60rem; margin: 0 auto; padding: 1rem }
h1 { font-size: 1.5rem; overflow-wrap: anywhere }
a { color: #0b57a4 }
.mails { list-style: none; margin: 0; padding: 0 }
.mails a { display: grid; grid-template-columns: 1fr; gap: 0 1rem; padding: .6rem; border-bottom: 1px solid #ddd; text-decoration: none }
.mails a:hover, .mails a:focus-visible { background: #eef4fb }
.mails span, .envelope { overflow-wrap: anywhere; min-width: 0 }
.subject { font-weight: 600 }
.to, time { color: #555 }
@media (min-width: 45rem) { .mails a { grid-template-columns: 2fr 1fr auto } }
iframe { box-sizing: border-box; width: 100%; height: 40rem; border: 1px solid #ddd; background: #fff }
pre { white-space: pre-wrap; overflow-wrap: anywhere; background: #f6f6f6; padding: 1rem }
</style>
</head>
<body><main>${body}</main></body>
</html>`.markup
}

/** A time (Unix milliseconds) for readers and machines. */
function showTime(milliseconds: number): SafeHtml {
  const iso = new Date(milliseconds).toISOString()
  return html`<time datetime="${iso}">${iso.slice(0, 10)} ${iso.slice(11, 19)} UTC</time>`
}

const shownMails = 100
const shownRecipients = 10

export const inboxPage = defineRoute<MailStore>()({
  method: 'get',
  path: '/',
  summary: 'The inbox',
  auth: 'none',
  documented: false,
  responses: { 200: { description: 'Page with the newest emails', contentType: 'text/html' } },
  async handle(_input, store) {
    const [mails, total] = await Promise.all([store.listSummaries(shownMails), store.count()])
    const body = html`<h1>Inbox</h1>
${mails.length === 0 ? html`<p>No emails yet. This page refreshes automatically.</p>` : renderMails(mails)}
${total > mails.length ? html`<p>These are the newest ${mails.length} of ${total} emails.</p>` : ''}`
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

export const messagePage = defineRoute<MailStore>()({
  method: 'get',
  path: '/messages/:id',
  summary: 'One email in readable form',
  auth: 'none',
  documented: false,
  request: { params: zMessageId },
  responses: { 200: { description: 'Page with the email', contentType: 'text/html' } },
  errors: ['not_found'],
  async handle({ params }, store) {
    const mail = await requireMail(store, params.id)
    const { subject, html: markup, text, images } = readMail(mail.data)
    const title = subject || '(no subject)'
    const source = `/api/v1/messages/${encodeURIComponent(mail.id)}/download`
    // The email's markup is in a frame without permissions, and the page's policy applies there
    // too.
    const shown = markup
      ? html`<iframe sandbox="" title="The email" srcdoc="${inlineImages(markup, images)}"></iframe>`
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

/**
 * Inlines each image only at its first reference, so that a page is not much larger than its email.
 */
function inlineImages(markup: string, images: ReadonlyMap<string, MailImage>): string {
  const left = new Map(images)
  return markup.replace(/cid:([^"'\s>)]+)/g, (whole, contentId: string) => {
    const image = left.get(contentId)
    if (image === undefined) return whole
    left.delete(contentId)
    return `data:${image.mediaType};base64,${image.base64}`
  })
}
