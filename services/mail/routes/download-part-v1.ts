import { z } from 'zod'
import { defineRoute } from '#kit/define-route.ts'
import type { MailStore } from '../adapters/mail-store.ts'
import { createMailhogMessage } from '../domain/mailhog-message.ts'
import type { MailContent } from '../domain/parse-mail-content.ts'
import { mailNotFound } from './mail-not-found.ts'
import { zMessageId } from './z-messages.ts'

export const downloadPartV1 = defineRoute<MailStore>()({
  method: 'get',
  path: '/api/v1/messages/:id/mime/part/:part/download',
  summary: 'One part of a mail, base64 decoded (MailHog API v1)',
  auth: 'none',
  request: { params: zMessageId.extend({ part: z.coerce.number().int().min(0) }) },
  responses: { 200: { description: 'The part, of its own type', contentType: '*/*' } },
  errors: ['not_found'],
  async handle({ params }, store) {
    const mail = await store.find(params.id)
    const part = mail && createMailhogMessage(mail).MIME?.Parts[params.part]
    if (!mail || !part) throw mailNotFound()
    const [encoding = ''] = part.Headers['Content-Transfer-Encoding'] ?? []
    return {
      status: 200,
      body: Buffer.from(part.Body, encoding.toLowerCase() === 'base64' ? 'base64' : 'utf8'),
      contentType: typeOf(part),
      headers: {
        // Whatever it says it is: it may do nothing here.
        'content-security-policy': "sandbox; default-src 'none'",
        'content-disposition': `attachment; filename="${mail.id}-part-${params.part}"`,
      },
    }
  },
})

/** The part's own content type, where it is one that a header can carry. */
function typeOf({ Headers }: MailContent): string {
  const [type = ''] = Headers['Content-Type'] ?? []
  return /^[\w.+-]+\/[\w.+-]+(;[\x20-\x7e]*)?$/.test(type) ? type : 'application/octet-stream'
}
