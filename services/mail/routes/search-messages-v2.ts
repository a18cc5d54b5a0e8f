import { z } from 'zod'
import { defineRoute } from '#kit/define-route.ts'
import type { MailStore } from '../adapters/mail-store.ts'
import { searchKinds } from '../domain/mailhog-message.ts'
import { sendMailPage } from './send-mails.ts'
import { zMessagePage, zPage } from './z-messages.ts'

export const searchMessagesV2 = defineRoute<MailStore>()({
  method: 'get',
  path: '/api/v2/search',
  summary: 'Mails by sender, recipient or content, newest first (MailHog API v2)',
  auth: 'none',
  request: {
    query: zPage.extend({
      kind: z.enum(searchKinds).describe('Where to look'),
      query: z.string().min(1).max(1000).describe('What to look for'),
    }),
  },
  responses: { 200: { description: 'Page of mails', body: zMessagePage } },
  async handle({ query: { start, limit, kind, query }, response }, store) {
    const search = { kind, query }
    await sendMailPage(response, store, { start, limit, search }, 'application/json')
    return { status: 200 }
  },
})
