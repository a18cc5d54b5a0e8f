import { defineRoute } from '#kit/define-route.ts'
import type { MailStore } from '../adapters/mail-store.ts'
import { mailNotFound } from './mail-not-found.ts'
import { zMessageId } from './z-messages.ts'

export const downloadMessageV1 = defineRoute<MailStore>()({
  method: 'get',
  path: '/api/v1/messages/:id/download',
  summary: 'One mail as it was received (MailHog API v1)',
  auth: 'none',
  request: { params: zMessageId },
  responses: { 200: { description: 'The bytes of the mail', contentType: 'message/rfc822' } },
  errors: ['not_found'],
  async handle({ params }, store) {
    const mail = await store.find(params.id)
    if (!mail) throw mailNotFound()
    return {
      status: 200,
      body: mail.data,
      contentType: 'message/rfc822',
      headers: { 'content-disposition': `attachment; filename="${mail.id}.eml"` },
    }
  },
})
