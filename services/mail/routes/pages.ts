import type { Request } from 'express'
import { html, type SafeHtml } from '#core/html/html.ts'
import { appStyle, barStyle } from '#core/html/styles.ts'
import { displayTime } from '#core/text/display-time.ts'
import { defineRoute } from '#kit/define-route.ts'
import { type Language, languageOf, type Texts } from '#kit/language.ts'
import { page, pageBar } from '#kit/page.ts'
import type { MailStore, MailSummary } from '../adapters/mail-store.ts'
import { createMailFrame, mailFrameStyle, mailFrameStylesheet } from '../domain/mail-frame.ts'
import { readMail } from '../domain/read-mail.ts'
import { zMessageId } from './messages.ts'

/** What the pages need: the emails, and the way to the console of a testbed. */
export interface PageDependencies extends MailStore {
  readonly consoleUrl: string | undefined
}

const stylesheet = '/assets/mail.css'
const script = '/assets/mail.js'

const style = `${appStyle}${barStyle}
main { max-width: 64rem; margin: 0 auto; padding: 1.5rem 1rem 3rem }
.mails a { display: grid; gap: 0 1.25rem; padding: .75rem 1.25rem; color: inherit; text-decoration: none }
.mails li + li { border-top: 1px solid var(--line) }
.mails :is(a:hover, a:focus-visible) .subject { text-decoration: underline }
.subject { font-weight: 600; color: var(--accent) }
@media (min-width: 45rem) { .mails a { grid-template-columns: 2fr 1fr auto } }
iframe { width: 100%; height: 34rem; border: 1px solid var(--line); border-radius: 14px; background: #fff }
@media (max-width: 40rem) { iframe { height: 46rem } }
main pre { max-height: none; white-space: pre-wrap }
`

/**
 * Shows which emails the inbox has now. A page that loads itself again would take the focus away
 * from its reader every time (WCAG 2.2.2).
 */
const inboxScript = `'use strict'
const inbox = document.querySelector('main')

async function refresh() {
  if (document.hidden) return
  const answer = await fetch('/').catch(() => undefined)
  if (!answer?.ok) return
  const page = new DOMParser().parseFromString(await answer.text(), 'text/html')
  const now = page.querySelector('main')
  if (now.innerHTML === inbox.innerHTML) return
  const focused = document.activeElement.getAttribute('href')
  inbox.replaceChildren(...now.childNodes)
  for (const link of inbox.querySelectorAll('a')) {
    if (link.getAttribute('href') === focused) link.focus({ preventScroll: true })
  }
}

setInterval(refresh, 2000)
`

function assetRoute(path: string, contentType: string, body: string) {
  return defineRoute<MailStore>()({
    method: 'get',
    path,
    summary: "Style or script of the mail server's pages",
    auth: 'none',
    documented: false,
    responses: { 200: { description: 'The file', contentType } },
    handle: () => ({
      status: 200,
      body,
      contentType,
      headers: { 'cache-control': 'no-cache' },
    }),
  })
}

export const pageAssets = [
  assetRoute(stylesheet, 'text/css', style),
  assetRoute(mailFrameStylesheet, 'text/css', mailFrameStyle),
  assetRoute(script, 'text/javascript; charset=utf-8', inboxScript),
]

const english = {
  name: 'Mail server',
  consoleLabel: 'Testbed console',
  inbox: 'Inbox',
  empty: 'No emails yet. This page refreshes automatically.',
  newest: (shown: number, total: number) => `These are the newest ${shown} of ${total} emails.`,
  noSubject: '(no subject)',
  /** Title of the frame with an email. */
  email: 'The email',
  envelope: (from: string, to: string) => `From ${from} to ${to}`,
  source: 'source',
  text: 'Text',
  unknown: 'Page not found',
  unknownText: 'There is no page at this address.',
  unknownEmail: 'This email does not exist, or it was deleted.',
}

const texts: Texts<typeof english> = {
  en: english,
  es: {
    name: 'Servidor de correo',
    consoleLabel: 'Consola del banco de pruebas',
    inbox: 'Bandeja de entrada',
    empty: 'Todavía no hay correos. Esta página se actualiza automáticamente.',
    newest: (shown, total) => `Estos son los ${shown} correos más recientes de ${total}.`,
    noSubject: '(sin asunto)',
    email: 'El correo',
    envelope: (from, to) => `De ${from} para ${to}`,
    source: 'código fuente',
    text: 'Texto',
    unknown: 'Página no encontrada',
    unknownText: 'No hay ninguna página en esta dirección.',
    unknownEmail: 'Este correo no existe o se ha eliminado.',
  },
}

interface PageContent {
  readonly language: Language
  readonly title: string
  readonly body: SafeHtml
  readonly status?: number
  /** Whether a script adds new emails. */
  readonly isLive?: boolean
}

/** The layout of the mail server's pages; the images of emails are inlined. */
function renderPage(
  { consoleUrl }: Pick<PageDependencies, 'consoleUrl'>,
  { language, title, body, status = 200, isLive = false }: PageContent,
) {
  const { name, consoleLabel } = texts[language]
  const bar = pageBar({ name, consoleUrl, consoleLabel })
  return page({
    status,
    language,
    title,
    stylesheet,
    policy: isLive ? ["script-src 'self'", "connect-src 'self'"] : [],
    ...(isLive && { head: html`<script src="${script}" defer></script>` }),
    body: html`${bar}<main>${body}</main>`,
  })
}

/** The page at an address without a page, or of an email that is not there. */
export function unknownPage(
  request: Request,
  dependencies: Pick<PageDependencies, 'consoleUrl'>,
  { status = 404, isEmail = false } = {},
) {
  const language = languageOf(request)
  const { inbox, unknown, unknownText, unknownEmail } = texts[language]
  const body = html`<h1>${unknown}</h1>
<p>${isEmail ? unknownEmail : unknownText}</p>
<p><a href="/">${inbox}</a></p>`
  return renderPage(dependencies, { language, title: unknown, body, status })
}

/** A time (Unix milliseconds) for readers and machines. */
function showTime(milliseconds: number): SafeHtml {
  const iso = new Date(milliseconds).toISOString()
  return html`<time class="soft" datetime="${iso}">${displayTime(iso)}</time>`
}

const shownMails = 100
const shownRecipients = 10

export const inboxPage = defineRoute<PageDependencies>()({
  method: 'get',
  path: '/',
  summary: 'The inbox',
  auth: 'none',
  documented: false,
  responses: { 200: { description: 'Page with the newest emails', contentType: 'text/html' } },
  async handle({ request }, store) {
    const language = languageOf(request)
    const { inbox, empty, newest } = texts[language]
    const [mails, total] = await Promise.all([store.listSummaries(shownMails), store.count()])
    const body = html`<h1>${inbox}</h1>
${mails.length === 0 ? html`<p>${empty}</p>` : renderMails(language, mails)}
${total > mails.length ? html`<p>${newest(mails.length, total)}</p>` : ''}`
    return renderPage(store, { language, title: inbox, body, isLive: true })
  },
})

function renderMails(language: Language, mails: readonly MailSummary[]) {
  const items = mails.map(
    ({ id, to, receivedAt, subject }) =>
      html`<li><a href="/messages/${encodeURIComponent(id)}">
<span class="subject">${subject || texts[language].noSubject}</span>
<span class="soft">${to.slice(0, shownRecipients).join(', ')}</span>
${showTime(receivedAt)}
</a></li>`,
  )
  return html`<ul class="list card mails">${items}</ul>`
}

export const messagePage = defineRoute<PageDependencies>()({
  method: 'get',
  path: '/messages/:id',
  summary: 'One email in readable form',
  auth: 'none',
  documented: false,
  request: { params: zMessageId },
  responses: {
    200: { description: 'Page with the email', contentType: 'text/html' },
    404: { description: 'Page that says that the email is not there', contentType: 'text/html' },
  },
  async handle({ params, request }, store) {
    const language = languageOf(request)
    const {
      inbox,
      noSubject,
      email,
      envelope,
      source: sourceText,
      text: textTitle,
    } = texts[language]
    const mail = await store.find(params.id)
    if (mail === undefined) return unknownPage(request, store, { isEmail: true })
    const { subject, html: markup, text, images } = readMail(mail.data)
    const frame = createMailFrame({ html: markup, images })
    const title = subject || noSubject
    const source = `/api/v1/messages/${encodeURIComponent(mail.id)}/download`
    const shown = frame && html`<iframe sandbox="" title="${email}" srcdoc="${frame}"></iframe>`
    const body = html`<p><a href="/">${inbox}</a></p>
<h1>${title}</h1>
<p class="envelope">${envelope(mail.from, mail.to.join(', '))}, ${showTime(mail.receivedAt)}, <a href="${source}">${sourceText}</a></p>
${shown}
${text ? html`<h2>${textTitle}</h2><pre tabindex="0">${text}</pre>` : ''}`
    return renderPage(store, { language, title, body })
  },
})
