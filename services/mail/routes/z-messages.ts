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

const zPath = z.object({
  Relays: z.null(),
  Mailbox: z.string(),
  Domain: z.string(),
  Params: z.string(),
})

const zContent = z.object({
  Headers: z.record(z.string(), z.array(z.string())),
  Body: z.string(),
  Size: z.int(),
  // Parts have parts of their own.
  MIME: z.object({ Parts: z.array(z.looseObject({})) }).nullable(),
})

/** A mail in the form of MailHog's HTTP API. */
export const zMessage = z.object({
  ID: z.string(),
  From: zPath,
  To: z.array(zPath),
  Content: zContent,
  Created: z.string(),
  MIME: zContent.shape.MIME,
  Raw: z.object({
    From: z.string(),
    To: z.array(z.string()),
    Data: z.string(),
    Helo: z.string(),
  }),
})

export const zMessagePage = z.object({
  total: z.int(),
  count: z.int(),
  start: z.int(),
  items: z.array(zMessage),
})

export const zMessageId = z.object({ id: z.string().describe('ID of the mail') })
