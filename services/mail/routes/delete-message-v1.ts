import { defineRoute } from '#kit/define-route.ts'
import type { MailStore } from '../adapters/mail-store.ts'
import { mailNotFound } from './mail-not-found.ts'
import { zMessageId } from './z-messages.ts'

export const deleteMessageV1 = defineRoute<MailStore>()({
  method: 'delete',
  path: '/api/v1/messages/:id',
  summary: 'Deletes one mail (MailHog API v1)',
  auth: 'none',
  request: { params: zMessageId },
  responses: { 200: { description: 'The mail is gone' } },
  errors: ['not_found'],
  async handle({ params }, store) {
    if (!(await store.remove(params.id))) throw mailNotFound()
    return { status: 200 }
  },
})
