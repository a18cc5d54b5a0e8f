import { z } from 'zod'
import { type AnyRoute, defineRoute } from '#kit/define-route.ts'
import type { ConsoleDependencies } from '../dependencies.ts'
import { definePage } from '../frame/define-page.ts'
import { inboxPage, mailPage, noMailPage, silentPage } from './page.ts'
import { createMailReader } from './read-mails.ts'

/** The mail server, which all environments share. */
function openMails({ runtime, mail }: ConsoleDependencies) {
  return { mailUrl: mail.url, reader: createMailReader(runtime, mail.localUrl) }
}

const zMailPath = z.object({ id: z.string().min(1).max(256) })

const showInbox = definePage({
  path: '/inbox',
  room: 'inbox',
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
  room: 'inbox',
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
    return { status: 200, headers: { 'cache-control': 'no-store' }, body }
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
