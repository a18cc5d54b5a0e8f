import { query } from 'jsonpath-rfc9535'
import { z } from 'zod'
import type { PlanName } from '../kit/check.ts'

/** Where the kit's own server listens, which plays the counterparts of the system under test. */
const zKitOptions = z.strictObject({
  port: z
    .int()
    .min(0)
    .max(65_535)
    .optional()
    .describe(
      'Port of the kit’s server. By default a free one; a fixed one needs configuring once.',
    )
    .meta({ example: '4700' }),
  bind: z
    .string()
    .min(1)
    .optional()
    .describe('Address to listen on. By default 127.0.0.1; for a phone 0.0.0.0.')
    .meta({ example: '0.0.0.0' }),
  publicUrl: z
    .url({ protocol: /^https?$/ })
    .refine((url) => !url.endsWith('/'), 'must not end in a slash')
    .optional()
    .describe('How the system under test reaches the kit, where that is not the bound address.')
    .meta({ example: 'http://192.168.1.20:4700' }),
  seed: z
    .string()
    .min(1)
    .optional()
    .describe('From it follow the DIDs and keys of the kit’s parties; by default the same for all.')
    .meta({ example: 'my-verifier' }),
})

export type KitOptions = z.infer<typeof zKitOptions>

/** A program that the kit starts before the run and ends after it. */
export interface StartCommand {
  readonly command: string
  readonly environment?: Readonly<Record<string, string>> | undefined
  /** Address that answers with a 2xx once it is ready. */
  readonly ready?: string | undefined
  readonly timeoutSeconds?: number | undefined
  readonly folder?: string | undefined
}

const zStartCommand: z.ZodType<StartCommand> = z
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

/** The members that the target of every plan has. */
export const targetMembers = <Plan extends PlanName>(plan: Plan) => ({
  plan: z.literal(plan).describe('Which plan it is a target of.').meta({ example: plan }),
  name: z
    .string()
    .min(1)
    .max(100)
    .describe('Name of the system under test, for reports.')
    .meta({ example: `My ${plan}` }),
  description: z.string().optional().describe('What reports tell of it besides.').meta({
    example: 'Version 1.2',
  }),
  kit: zKitOptions
    .optional()
    .describe('Where the kit’s own server listens, in the plans in which it has one.'),
  start: zStartCommand
    .optional()
    .describe('A command that runs as long as the plan does: the system under test itself.'),
})

/**
 * A text that no report may show. In the file it stands as `$NAME`, or with it inside, and is taken
 * from the environment variable NAME; `$$` is a dollar.
 */
export const zSecret = z.string().min(1).meta({ secret: true })

/** Headers of a request that the kit sends; a value may name environment variables as secrets do. */
export const zHeaders = z.record(z.string().regex(/^[\w!#$%&'*+.^`|~-]+$/), z.string()).meta({
  variables: true,
})

/** Says whether a text is a JSONPath (RFC 9535). */
export function isJsonPath(text: string): boolean {
  try {
    query({}, text)
    return true
  } catch {
    return false
  }
}

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
