import { defineRoute } from '#kit/define-route.ts'
import type { MailStore } from '../adapters/mail-store.ts'
import { sendMailPage } from './send-mails.ts'
import { zMessagePage, zPage } from './z-messages.ts'

export const listMessagesV2 = defineRoute<MailStore>()({
  method: 'get',
  path: '/api/v2/messages',
  summary: 'A page of mails, newest first (MailHog API v2)',
  auth: 'none',
  request: { query: zPage },
  responses: {
    200: { description: 'Page of mails', body: zMessagePage, contentType: 'text/json' },
  },
  async handle({ query, response }, store) {
    await sendMailPage(response, store, query, 'text/json')
    return { status: 200 }
  },
})
