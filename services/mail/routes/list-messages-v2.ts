import { defineRoute } from '#kit/define-route.ts'
import type { MailStore } from '../adapters/mail-store.ts'
import { createMailhogMessage } from '../domain/mailhog-message.ts'
import { zPage } from './z-messages.ts'

export const listMessagesV2 = defineRoute<MailStore>()({
  method: 'get',
  path: '/api/v2/messages',
  summary: 'A page of mails, newest first (MailHog API v2)',
  auth: 'none',
  request: { query: zPage },
  responses: { 200: { description: 'Page of mails', contentType: 'text/json' } },
  async handle({ query: { start, limit } }, store) {
    const items = (await store.list({ start, limit })).map(createMailhogMessage)
    const body = { total: await store.count(), count: items.length, start, items }
    return { status: 200, body, contentType: 'text/json' }
  },
})
