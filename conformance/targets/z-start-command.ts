import { z } from 'zod'

/** A program that the kit starts before the run and ends after it. */
export interface StartCommand {
  readonly command: string
  readonly environment?: Readonly<Record<string, string>> | undefined
  /** Address that answers with a 2xx once it is ready. */
  readonly ready?: string | undefined
  readonly timeoutSeconds?: number | undefined
  readonly folder?: string | undefined
}

export const zStartCommand: z.ZodType<StartCommand> = z
  .strictObject({
    command: z
      .string()
      .min(1)
      .describe('A command line; no shell sees it.')
      .meta({ commandLine: true, example: 'node my-service.mjs' }),
    environment: z
      .record(z.string().regex(/^[A-Za-z_][A-Za-z0-9_]*$/), z.string())
      .optional()
      .describe('Environment variables to add; the kit’s addresses are there as TESTBED_….')
      .meta({ variables: true }),
    ready: z
      .url({ protocol: /^https?$/ })
      .optional()
      .describe('Address that answers with a 2xx once it is ready.')
      .meta({ example: 'http://127.0.0.1:8080/health' }),
    timeoutSeconds: z
      .number()
      .positive()
      .max(600)
      .optional()
      .describe('How long it may take to get ready. By default 30.')
      .meta({ example: '30' }),
  })
  .meta({ verb: true, placeholders: [] })
