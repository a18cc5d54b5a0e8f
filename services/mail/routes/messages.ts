import type { Response } from 'express'
import { z } from 'zod'
import { TestbedError } from '#core/errors/testbed-error.ts'
import { defineRoute } from '#kit/define-route.ts'
import { sendEvents } from '#kit/event-stream.ts'
import { sendJsonList } from '#kit/lists.ts'
import type { ListOptions, MailSearch, MailStore } from '../adapters/mail-store.ts'
import { createMailhogMessage, type ReceivedMail, searchKinds } from '../domain/mailhog-message.ts'
import type { MailContent } from '../domain/read-mail.ts'

/** MailHog replaces an invalid number with its default, and allows at most 250. */
const zStart = z.coerce.number().int().min(0).catch(0)
const zLimit = z.coerce.number().int().min(1).catch(50)

const zPage = z.object({
  start: zStart.describe('Offset, default 0'),
  limit: zLimit
    .transform((limit) => Math.min(limit, 250))
    .describe('Number of emails, default 50, at most 250'),
})

const zMailPath = z.object({
  Relays: z.null(),
  Mailbox: z.string(),
  Domain: z.string(),
  Params: z.string(),
})

const zContent = z.object({
  Headers: z.record(z.string(), z.array(z.string())),
  Body: z.string(),
  Size: z.int(),
  // Parts can have nested parts.
  MIME: z.object({ Parts: z.array(z.looseObject({})) }).nullable(),
})

/** An email in the format of MailHog's HTTP API. */
const zMessage = z.object({
  ID: z.string(),
  From: zMailPath,
  To: z.array(zMailPath),
  Content: zContent,
  Created: z.string(),
  MIME: zContent.shape.MIME,
  Raw: z.object({
    From: z.string(),
    To: z.array(z.string()),
    Data: z.string(),
    Helo: z.string(),
  }),
})

const zMessagePage = z.object({
  total: z.int(),
  count: z.int(),
  start: z.int(),
  items: z.array(zMessage),
})

export const zMessageId = z.object({ id: z.string().describe('ID of the email') })

export const listMessagesV1 = defineRoute<MailStore>()({
  method: 'get',
  path: '/api/v1/messages',
  summary: 'All emails, newest first (MailHog API v1)',
  auth: 'none',
  responses: {
    200: { description: 'List of emails', body: z.array(zMessage), contentType: 'text/json' },
  },
  async handle({ response }, store) {
    await sendMails(response, store)
    return { status: 200 }
  },
})

export const deleteMessagesV1 = defineRoute<MailStore>()({
  method: 'delete',
  path: '/api/v1/messages',
  summary: 'Delete all emails (MailHog API v1)',
  auth: 'none',
  responses: { 200: { description: 'All emails have been deleted' } },
  async handle(_input, store) {
    await store.removeAll()
    return { status: 200 }
  },
})

export const getMessageV1 = defineRoute<MailStore>()({
  method: 'get',
  path: '/api/v1/messages/:id',
  summary: 'One email (MailHog API v1)',
  auth: 'none',
  request: { params: zMessageId },
  responses: { 200: { description: 'The email', body: zMessage, contentType: 'text/json' } },
  errors: ['not_found'],
  async handle({ params }, store) {
    const mail = await requireMail(store, params.id)
    return { status: 200, body: createMailhogMessage(mail), contentType: 'text/json' }
  },
})

export const deleteMessageV1 = defineRoute<MailStore>()({
  method: 'delete',
  path: '/api/v1/messages/:id',
  summary: 'Delete one email (MailHog API v1)',
  auth: 'none',
  request: { params: zMessageId },
  responses: { 200: { description: 'The email has been deleted' } },
  errors: ['not_found'],
  async handle({ params }, store) {
    if (!(await store.remove(params.id))) throw mailNotFound()
    return { status: 200 }
  },
})

export const downloadMessageV1 = defineRoute<MailStore>()({
  method: 'get',
  path: '/api/v1/messages/:id/download',
  summary: 'One email as received (MailHog API v1)',
  auth: 'none',
  request: { params: zMessageId },
  responses: { 200: { description: 'The bytes of the email', contentType: 'message/rfc822' } },
  errors: ['not_found'],
  async handle({ params }, store) {
    const mail = await requireMail(store, params.id)
    return {
      status: 200,
      body: mail.data,
      contentType: 'message/rfc822',
      headers: { 'content-disposition': `attachment; filename="${mail.id}.eml"` },
    }
  },
})

export const downloadPartV1 = defineRoute<MailStore>()({
  method: 'get',
  path: '/api/v1/messages/:id/mime/part/:part/download',
  summary: 'One part of an email, base64-decoded (MailHog API v1)',
  auth: 'none',
  request: { params: zMessageId.extend({ part: z.coerce.number().int().min(0) }) },
  responses: { 200: { description: 'The part, with its own content type', contentType: '*/*' } },
  errors: ['not_found'],
  async handle({ params }, store) {
    const mail = await requireMail(store, params.id)
    const part = createMailhogMessage(mail).MIME?.Parts[params.part]
    if (!part) throw mailNotFound()
    const [encoding = ''] = part.Headers['Content-Transfer-Encoding'] ?? []
    return {
      status: 200,
      body: Buffer.from(part.Body, encoding.toLowerCase() === 'base64' ? 'base64' : 'utf8'),
      contentType: typeOf(part),
      headers: {
        // Regardless of its type, the part must not run scripts on this origin.
        'content-security-policy': "sandbox; default-src 'none'",
        'content-disposition': `attachment; filename="${mail.id}-part-${params.part}"`,
      },
    }
  },
})

/** The part's content type, if it is valid in a header. */
function typeOf({ Headers }: MailContent): string {
  const [type = ''] = Headers['Content-Type'] ?? []
  return /^[\w.+-]+\/[\w.+-]+(;[\x20-\x7e]*)?$/.test(type) ? type : 'application/octet-stream'
}

// Clients reconnect automatically; an endless stream would prevent the server from stopping.
const longestStreamMilliseconds = 20_000

export const streamEventsV1 = defineRoute<MailStore>()({
  method: 'get',
  path: '/api/v1/events',
  summary: 'New emails as server-sent events (MailHog API v1)',
  auth: 'none',
  responses: { 200: { description: 'One event per email', contentType: 'text/event-stream' } },
  async handle({ response }, store) {
    // An email is large, and the store keeps it.
    const unread: string[] = []
    await sendEvents(response, {
      stopping: AbortSignal.timeout(longestStreamMilliseconds),
      opening: 'retry: 500\n\n',
      subscribe: (notify) =>
        store.subscribe(({ id }) => {
          unread.push(id)
          notify()
        }),
      async *read() {
        for await (const [mail] of readMails(store, unread.splice(0))) {
          yield `data: ${JSON.stringify(mail)}\n\n`
        }
      },
    })
    return { status: 200 }
  },
})

export const listMessagesV2 = defineRoute<MailStore>()({
  method: 'get',
  path: '/api/v2/messages',
  summary: 'A page of emails, newest first (MailHog API v2)',
  auth: 'none',
  request: { query: zPage },
  responses: {
    200: { description: 'Page of emails', body: zMessagePage, contentType: 'text/json' },
  },
  async handle({ query, response }, store) {
    await sendMailPage(response, store, query, 'text/json')
    return { status: 200 }
  },
})

export const searchMessagesV2 = defineRoute<MailStore>()({
  method: 'get',
  path: '/api/v2/search',
  summary: 'Emails by sender, recipient or content, newest first (MailHog API v2)',
  auth: 'none',
  request: {
    query: zPage.extend({
      kind: z.enum(searchKinds).describe('Where to search'),
      query: z.string().min(1).max(1000).describe('Search text'),
    }),
  },
  responses: { 200: { description: 'Page of emails', body: zMessagePage } },
  async handle({ query: { start, limit, kind, query }, response }, store) {
    const search = { kind, query }
    await sendMailPage(response, store, { start, limit, search }, 'application/json')
    return { status: 200 }
  },
})

/** The server does not send emails, so there are none. */
export const listOutgoingServersV2 = defineRoute<MailStore>()({
  method: 'get',
  path: '/api/v2/outgoing-smtp',
  summary: 'SMTP servers for releasing emails: none (MailHog API v2)',
  auth: 'none',
  responses: { 200: { description: 'An empty object', body: z.object({}) } },
  handle: () => ({ status: 200, body: {} }),
})

function mailNotFound(): TestbedError {
  const message = 'No email has this ID.'
  return new TestbedError({ code: 'not_found', status: 404, message })
}

/** @throws TestbedError `not_found` */
async function requireMail(store: MailStore, id: string): Promise<ReceivedMail> {
  const mail = await store.find(id)
  if (!mail) throw mailNotFound()
  return mail
}

async function* readMails(store: MailStore, ids: readonly string[]) {
  for (const id of ids) {
    const mail = await store.find(id)
    if (mail !== undefined) yield [createMailhogMessage(mail)]
  }
}

/** Sends all emails in the format of MailHog's API v1, keeping one at a time in memory. */
async function sendMails(response: Response, store: MailStore): Promise<void> {
  const portions = readMails(store, await store.listIds())
  await sendJsonList(response, portions, { contentType: 'text/json' })
}

/** Sends a page in the format of MailHog's API v2, keeping one email at a time in memory. */
async function sendMailPage(
  response: Response,
  store: MailStore,
  options: Required<Pick<ListOptions, 'start' | 'limit'>> & { readonly search?: MailSearch },
  contentType: string,
): Promise<void> {
  const [total, ids] = await Promise.all([store.count(options.search), store.listIds(options)])
  await sendJsonList(response, readMails(store, ids), {
    contentType,
    opening: `{"total":${total},"count":${ids.length},"start":${options.start},"items":[`,
    closing: ']}',
  })
}
