import { z } from 'zod'
import { isJsonPath } from './verdict-sources/is-json-path.ts'
import { zHeaders } from './z-secret.ts'

const zValues = z.array(z.union([z.string(), z.number(), z.boolean()])).min(1)

/** Where a verdict is asked for until it is there: an address, and what its answers mean. */
export interface StatusPoll {
  /** Placeholders in braces, which the plan tells. */
  readonly url: string
  readonly headers?: Readonly<Record<string, string>> | undefined
  /** Where in the answer the state stands (RFC 9535). */
  readonly path: string
  readonly accepted: readonly (string | number | boolean)[]
  readonly refused: readonly (string | number | boolean)[]
  readonly pending?: readonly (string | number | boolean)[] | undefined
  readonly intervalMilliseconds?: number | undefined
}

const zStatusPoll: z.ZodType<StatusPoll> = z
  .strictObject({
    url: z
      .string()
      .regex(/^https?:\/\//, 'must begin with http:// or https://')
      .describe('Address to ask, by GET.')
      .meta({ template: true, example: 'http://127.0.0.1:8080/status?session={session}' }),
    headers: zHeaders.optional().describe('Headers to send.'),
    path: z
      .string()
      .refine(isJsonPath, 'is no JSONPath (RFC 9535)')
      .describe('JSONPath of the state in the answer.')
      .meta({ example: '$.status' }),
    accepted: zValues.describe('States that say it was accepted.').meta({ example: '[SUCCESS]' }),
    refused: zValues.describe('States that say it was refused.').meta({ example: '[FAILED]' }),
    pending: zValues
      .optional()
      .describe('States that say it is not decided yet; others are told.')
      .meta({ example: '[PENDING]' }),
    intervalMilliseconds: z
      .int()
      .min(50)
      .max(30_000)
      .optional()
      .describe('Pause between two questions. By default 250.')
      .meta({ example: '250' }),
  })
  .meta({ poll: true })

/** A status poll that may use these placeholders and no other. */
export const zStatusPollWith = (...placeholders: readonly string[]): z.ZodType<StatusPoll> =>
  zStatusPoll.meta({ poll: true, placeholders })
