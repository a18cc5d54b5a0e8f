import { z } from 'zod'
import { zBaseUrl } from '#kit/z-fields.ts'

/** Configuration of the embedded mail server. */
export const zMailConfig = z.object({
  baseUrl: zBaseUrl.describe('Public address of the HTTP API and of the inbox page'),
  smtpHost: z.string().default('127.0.0.1').describe('Address on which SMTP listens'),
  smtpPort: z.int().min(0).max(65535).default(0).describe('Port of SMTP; 0 takes a free one'),
  databaseUrl: z.string().default('sqlite::memory:').describe('Where received mails are kept'),
  maxMessages: z
    .int()
    .positive()
    .default(1000)
    .describe('The oldest mails beyond these are dropped'),
  maxBytes: z
    .int()
    .positive()
    .default(134_217_728)
    .describe(
      'Bytes that the mails may take, each about two and a half times its size, as searches look ' +
        'through a copy; the oldest mails beyond these are dropped',
    ),
  maxMessageBytes: z
    .int()
    .positive()
    .default(10_485_760)
    .describe('Largest accepted mail in bytes'),
})

export type MailConfig = z.infer<typeof zMailConfig>
