import { z } from 'zod'
import { html, type SafeHtml, timeElement } from '#core/html/html.ts'
import { displayTime } from '#core/text/display-time.ts'
import { type AnyRoute, defineRoute, type Reply } from '#kit/define-route.ts'
import type { ConsoleDependencies } from '../dependencies.ts'
import { definePage } from '../frame/define-page.ts'
import { consolePage, type Frame, pathIn, shortened } from '../frame/page.ts'
import { frameTexts } from '../frame/sections.ts'
import { createMailReader, type MailPage, type MailQrCode, type OpenedMail } from './read-mails.ts'
import { inboxTexts } from './texts.ts'

/** The mail server, which all environments share. */
function openMails({ runtime, mail }: ConsoleDependencies) {
  return { mailUrl: mail.url, reader: createMailReader(runtime, mail.localUrl) }
}

const zMailPath = z.object({ id: z.string().min(1).max(256) })

const showInbox = definePage({
  path: '/inbox',
  section: 'inbox',
  summary: 'The received emails',
  query: z.object({ page: z.coerce.number().int().min(1).max(1_000_000).catch(1) }),
  async render({ frame, query }, dependencies) {
    const { mailUrl, reader } = openMails(dependencies)
    const found = await reader.list(query.page).catch(() => undefined)
    return found === undefined ? silentPage(frame) : inboxPage(frame, { ...found, mailUrl })
  },
})

const showMail = definePage({
  path: '/inbox/:id',
  section: 'inbox',
  summary: 'One email',
  params: zMailPath,
  async render({ frame, params }, dependencies) {
    const { mailUrl, reader } = openMails(dependencies)
    const mail = await reader.open(params.id)
    return mail === undefined ? noMailPage(frame) : mailPage(frame, mail, mailUrl)
  },
})

const readNewest = defineRoute<ConsoleDependencies>()({
  method: 'get',
  path: '/console/inbox',
  summary: 'The number of emails and the newest one',
  auth: 'control',
  documented: false,
  responses: {
    200: {
      description: 'For a page that shows the inbox',
      body: z.object({ total: z.int(), newest: z.string().optional() }),
    },
  },
  async handle(_input, dependencies) {
    const body = await openMails(dependencies).reader.newest()
    return { status: 200, body }
  },
})

const deleteMails = defineRoute<ConsoleDependencies>()({
  method: 'delete',
  path: '/console/inbox',
  summary: 'Delete all emails',
  auth: 'control',
  documented: false,
  responses: { 204: { description: 'There are no emails any more' } },
  async handle(_input, dependencies) {
    await openMails(dependencies).reader.remove()
    return { status: 204 }
  },
})

const deleteMail = defineRoute<ConsoleDependencies>()({
  method: 'delete',
  path: '/console/inbox/:id',
  summary: 'Delete an email',
  auth: 'control',
  documented: false,
  request: { params: zMailPath },
  responses: { 204: { description: 'The email does not exist any more' } },
  async handle({ params }, dependencies) {
    await openMails(dependencies).reader.remove(params.id)
    return { status: 204 }
  },
})

export const inboxRoutes: readonly AnyRoute<ConsoleDependencies>[] = [
  showInbox,
  showMail,
  readNewest,
  deleteMails,
  deleteMail,
]

interface InboxPageOptions extends MailPage {
  /** Address of the mail server for browsers. */
  readonly mailUrl: string
}

/** A page of the emails; `inbox.js` loads it again if emails arrive or disappear. */
function inboxPage(frame: Frame, options: InboxPageOptions): Reply {
  const { page, pages, total, first, mails, mailUrl } = options
  const texts = inboxTexts[frame.language]
  const address = (number: number) => pathIn(frame, `/inbox?page=${number}`)
  const items = mails.map(
    ({ id, subject, to, receivedAt }) => html`<li><a href="${mailPath(frame, id)}">
<strong>${subject || texts.noSubject}</strong>
<span class="soft">${texts.to}: ${to.join(', ')}</span>
<time class="soft" datetime="${receivedAt}">${displayTime(receivedAt)}</time>
</a></li>`,
  )
  return consolePage(frame, {
    title: frameTexts[frame.language].sections.inbox,
    section: 'inbox',
    script: 'inbox.js',
    style: 'inbox.css',
    data: { total, ...(page === 1 && { newest: mails[0]?.id }) },
    body: html`<p class="lead">${texts.lead}</p>
${
  mails.length === 0
    ? html`<p class="card">${texts.empty}</p>`
    : html`<ul class="list card mails">${items}</ul>
<div class="row">
${
  pages > 1 &&
  html`<p class="soft" id="position">${texts.shown(first, first + mails.length - 1, total)}</p>
<p class="actions">${page > 1 && html`<a class="button small" rel="prev" href="${address(page - 1)}">${texts.newer}</a>`}
${page < pages && html`<a class="button small" rel="next" href="${address(page + 1)}">${texts.older}</a>`}</p>`
}
<details><summary>${texts.removeAll}…</summary><p class="small">${texts.removeAllAbout}</p>
<form data-call="DELETE /console/inbox"><button class="button small danger">${texts.removeAll}</button></form></details>
</div>`
}
<p><a href="${mailUrl}">${texts.server}</a></p>`,
  })
}

const mailPath = (frame: Frame, id: string) => pathIn(frame, `/inbox/${encodeURIComponent(id)}`)

/** One email: its markup in a frame without permissions, its QR codes decoded. */
function mailPage(frame: Frame, mail: OpenedMail, mailUrl: string): Reply {
  const texts = inboxTexts[frame.language]
  const { id, subject, from, to, receivedAt, text, frame: content, qrCodes } = mail
  const source = `${mailUrl}/messages/${encodeURIComponent(id)}`
  return consolePage(frame, {
    title: subject || texts.noSubject,
    section: 'inbox',
    style: 'inbox.css',
    body: html`<p><a href="${pathIn(frame, '/inbox')}">← ${texts.back}</a></p>
<dl class="envelope">
<dt>${texts.from}</dt><dd>${from}</dd>
<dt>${texts.to}</dt><dd>${to.join(', ')}</dd>
<dt>${texts.received}</dt><dd>${timeElement(receivedAt)}</dd>
</dl>
<div class="columns opened">
<section aria-labelledby="message">
<h2 id="message">${texts.message}</h2>
${content && html`<iframe sandbox="" title="${texts.message}" srcdoc="${content}"></iframe>`}
${text && content && html`<details><summary>${texts.plain}</summary><pre tabindex="0">${text}</pre></details>`}
${text && !content && html`<pre tabindex="0">${text}</pre>`}
${!text && !content && html`<p class="soft">${texts.noContent}</p>`}
</section>
<div>
${
  qrCodes.length > 0 &&
  html`<section aria-labelledby="codes"><h2 id="codes">${texts.qrCodes}</h2>
${qrCodes.map((code) => qrCode(frame, code))}</section>`
}
<div class="row">
<form data-call="DELETE /console/inbox/${encodeURIComponent(id)}" data-next="${pathIn(frame, '/inbox')}"><button class="button small danger">${texts.remove}</button></form>
<a href="${source}">${texts.source}</a>
</div>
</div>
</div>`,
  })
}

function qrCode(frame: Frame, { text, kind }: MailQrCode): SafeHtml {
  const texts = inboxTexts[frame.language]
  const wallet = pathIn(frame, `/wallets?link=${encodeURIComponent(text)}`)
  return html`<div class="card">
<p><span class="badge ${kind && 'good'}">${texts.kinds[kind ?? 'other']}</span></p>
<p class="link">${shortened(frame.language, text, 90, 12)}</p>
${kind && frame.built.has('/wallets') && html`<p class="actions"><a class="button small primary" href="${wallet}">${texts.openInWallet}</a></p>`}
</div>`
}

/** The answer for an id that no email has. */
function noMailPage(frame: Frame): Reply {
  return problemPage(frame, 404, inboxTexts[frame.language].notFound)
}

/** The inbox while the mail server does not answer. */
function silentPage(frame: Frame): Reply {
  return problemPage(frame, 200, inboxTexts[frame.language].silent)
}

function problemPage(frame: Frame, status: number, problem: string): Reply {
  return consolePage(frame, {
    status,
    title: frameTexts[frame.language].sections.inbox,
    section: 'inbox',
    body: html`<p class="alert" role="alert">${problem}</p>
<p><a href="${pathIn(frame, '/inbox')}">${inboxTexts[frame.language].back}</a></p>`,
  })
}
