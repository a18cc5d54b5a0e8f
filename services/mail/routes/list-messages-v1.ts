import { z } from 'zod'
import { defineRoute } from '#kit/define-route.ts'
import type { MailStore } from '../adapters/mail-store.ts'
import { sendMails } from './send-mails.ts'
import { zMessage } from './z-messages.ts'

export const listMessagesV1 = defineRoute<MailStore>()({
  method: 'get',
  path: '/api/v1/messages',
  summary: 'All mails, newest first (MailHog API v1)',
  auth: 'none',
  responses: {
    200: { description: 'List of mails', body: z.array(zMessage), contentType: 'text/json' },
  },
  async handle({ response }, store) {
    await sendMails(response, store)
    return { status: 200 }
  },
})
