import { z } from 'zod'
import { defineRoute } from '#kit/define-route.ts'
import type { MailStore } from '../adapters/mail-store.ts'

/** No mail leaves this machine, so there are none. */
export const listOutgoingServersV2 = defineRoute<MailStore>()({
  method: 'get',
  path: '/api/v2/outgoing-smtp',
  summary: 'SMTP servers that mails can be released to: none (MailHog API v2)',
  auth: 'none',
  responses: { 200: { description: 'Nothing', body: z.object({}) } },
  handle: () => ({ status: 200, body: {} }),
})
