import { z } from 'zod'

/** MailHog takes whatever is no positive number as its default, and at most 250. */
const zStart = z.coerce.number().int().min(0).catch(0)
const zLimit = z.coerce.number().int().min(1).catch(50)

export const zPage = z.object({
  start: zStart.describe('Offset, default 0'),
  limit: zLimit
    .transform((limit) => Math.min(limit, 250))
    .describe('Number of mails, default 50, at most 250'),
})

export const zMessageId = z.object({ id: z.string().describe('ID of the mail') })
