import { z } from 'zod'
import { zBaseUrl, zDatabaseUrl } from '#kit/z-fields.ts'

/** Configuration of the embedded mail server. */
export const zMailConfig = z.object({
  baseUrl: zBaseUrl.describe('Public address of the HTTP API and of the inbox page'),
  smtpHost: z.string().default('127.0.0.1').describe('Listening address of SMTP'),
  smtpPort: z.int().min(0).max(65535).default(0).describe('Port of SMTP; 0 chooses a free port'),
  databaseUrl: zDatabaseUrl.describe('Database of the received emails'),
  maxMessages: z
    .int()
    .positive()
    .default(1000)
    .describe('Maximum number of emails; the oldest ones beyond it are deleted'),
  maxBytes: z
    .int()
    .positive()
    .default(134_217_728)
    .describe(
      'Maximum size of the stored emails in bytes. Each requires about two and a half times its size, ' +
        'because of a copy for searches. The oldest ones beyond it are deleted',
    ),
  maxMessageBytes: z
    .int()
    .positive()
    .default(10_485_760)
    .describe('Largest accepted email in bytes'),
})

export type MailConfig = z.infer<typeof zMailConfig>
