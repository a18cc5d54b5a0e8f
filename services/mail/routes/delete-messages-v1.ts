import { defineRoute } from '#kit/define-route.ts'
import type { MailStore } from '../adapters/mail-store.ts'

export const deleteMessagesV1 = defineRoute<MailStore>()({
  method: 'delete',
  path: '/api/v1/messages',
  summary: 'Deletes all mails (MailHog API v1)',
  auth: 'none',
  responses: { 200: { description: 'All mails are gone' } },
  async handle(_input, store) {
    await store.removeAll()
    return { status: 200 }
  },
})
