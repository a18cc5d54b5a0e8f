import { defineRoute } from '#kit/define-route.ts'
import type { MailStore } from '../adapters/mail-store.ts'
import { createMailhogMessage } from '../domain/mailhog-message.ts'
import { mailNotFound } from './mail-not-found.ts'
import { zMessage, zMessageId } from './z-messages.ts'

export const getMessageV1 = defineRoute<MailStore>()({
  method: 'get',
  path: '/api/v1/messages/:id',
  summary: 'One mail (MailHog API v1)',
  auth: 'none',
  request: { params: zMessageId },
  responses: { 200: { description: 'The mail', body: zMessage, contentType: 'text/json' } },
  errors: ['not_found'],
  async handle({ params }, store) {
    const mail = await store.find(params.id)
    if (!mail) throw mailNotFound()
    return { status: 200, body: createMailhogMessage(mail), contentType: 'text/json' }
  },
})
