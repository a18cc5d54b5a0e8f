import { defineRoute } from '#kit/define-route.ts'
import type { MailStore } from '../adapters/mail-store.ts'
import { createMailhogMessage } from '../domain/mailhog-message.ts'

export const listMessagesV1 = defineRoute<MailStore>()({
  method: 'get',
  path: '/api/v1/messages',
  summary: 'All mails, newest first (MailHog API v1)',
  auth: 'none',
  responses: { 200: { description: 'List of mails', contentType: 'text/json' } },
  async handle(_input, store) {
    const mails = await store.list()
    return { status: 200, body: mails.map(createMailhogMessage), contentType: 'text/json' }
  },
})
