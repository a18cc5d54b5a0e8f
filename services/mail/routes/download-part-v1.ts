import { z } from 'zod'
import { defineRoute } from '#kit/define-route.ts'
import type { MailStore } from '../adapters/mail-store.ts'
import { createMailhogMessage } from '../domain/mailhog-message.ts'
import { mailNotFound } from './mail-not-found.ts'
import { zMessageId } from './z-messages.ts'

export const downloadPartV1 = defineRoute<MailStore>()({
  method: 'get',
  path: '/api/v1/messages/:id/mime/part/:part/download',
  summary: 'One part of a mail, still encoded (MailHog API v1)',
  auth: 'none',
  request: { params: zMessageId.extend({ part: z.coerce.number().int().min(0) }) },
  responses: { 200: { description: 'The part', contentType: 'application/octet-stream' } },
  errors: ['not_found'],
  async handle({ params }, store) {
    const mail = await store.find(params.id)
    const part = mail && createMailhogMessage(mail).MIME?.Parts[params.part]
    if (!mail || !part) throw mailNotFound()
    return {
      status: 200,
      body: Buffer.from(part.Body),
      contentType: 'application/octet-stream',
      headers: {
        'content-disposition': `attachment; filename="${mail.id}-part-${params.part}"`,
      },
    }
  },
})
