import { z } from 'zod'
import { zHeaders } from '../target-members.ts'

/** Which numbers mean what. */
interface OutcomeNumbers {
  readonly done?: readonly number[] | undefined
  readonly refused?: readonly number[] | undefined
}

/** A command line that is a verb. It is split into words, and no shell sees it. */
export interface CommandVerb {
  readonly command: string
  /** Added to what it gets: the place to look for programs, the home folder, the kit's addresses. */
  readonly environment?: Readonly<Record<string, string>> | undefined
  /** What its exit code means; by default 0 is done, 1 refused, and anything else failed. */
  readonly exitCodes?: OutcomeNumbers | undefined
  readonly timeoutSeconds?: number | undefined
  /** Where it runs; a target's commands run in the folder of its file. */
  readonly folder?: string | undefined
}

/** An HTTP call that is a verb. */
export interface HttpVerb {
  readonly url: string
  readonly method?: string | undefined
  readonly headers?: Readonly<Record<string, string>> | undefined
  /** Sent as JSON. A member whose only text is a placeholder without value is left out. */
  readonly json?: unknown
  /** Sent as application/x-www-form-urlencoded. */
  readonly form?: Readonly<Record<string, string>> | undefined
  /** Which statuses mean what; by default 2xx is done, and of 4xx those are refused that can be. */
  readonly statuses?: OutcomeNumbers | undefined
  readonly timeoutSeconds?: number | undefined
}

/** One thing that the system under test can be told to do. */
export type Verb = string | CommandVerb | HttpVerb

const timeoutSeconds = z
  .number()
  .positive()
  .max(600)
  .optional()
  .describe('After that it is ended; nothing was decided then. By default 30.')
  .meta({ example: '30' })

const zCodes = z.array(z.int().min(0).max(599)).min(1)

const zCommandVerb = z
  .strictObject({
    command: z.string().min(1).describe('A command line; no shell sees it.').meta({
      commandLine: true,
      example: 'node my-wallet.mjs accept {link} --pin {pin}',
    }),
    environment: z
      .record(z.string().regex(/^[A-Za-z_][A-Za-z0-9_]*$/), z.string())
      .optional()
      .describe('Environment variables to add.')
      .meta({ variables: true }),
    exitCodes: z
      .strictObject({ done: zCodes.optional(), refused: zCodes.optional() })
      .optional()
      .describe('Which exit codes mean what; by default 0 is done and 1 refused.'),
    timeoutSeconds,
  })
  .describe('A command line with options.')

const zHttpVerb = z
  .strictObject({
    url: z
      .string()
      .regex(/^https?:\/\//, 'must begin with http:// or https://')
      .describe('Address to call.')
      .meta({ template: true, example: 'http://127.0.0.1:4100/accept-offer' }),
    method: z
      .string()
      .regex(/^[A-Z]+$/, 'must be in capitals')
      .optional()
      .describe('By default POST with a body and GET without.')
      .meta({ example: 'POST' }),
    headers: zHeaders.optional().describe('Headers to send.'),
    json: z.unknown().optional().describe('Body, sent as JSON.').meta({ template: true }),
    form: z
      .record(z.string(), z.string())
      .optional()
      .describe('Body, sent as a form.')
      .meta({ template: true }),
    statuses: z
      .strictObject({ done: zCodes.optional(), refused: zCodes.optional() })
      .optional()
      .describe('Which HTTP statuses mean what.'),
    timeoutSeconds,
  })
  .describe('An HTTP call.')

/**
 * A verb: a command line, the same with options, or an HTTP call. Placeholders stand in braces:
 * `{link}`, `{pin}`.
 */
export const zVerb: z.ZodType<Verb> = z
  .union([
    z.string().min(1).describe('A command line; no shell sees it.').meta({ commandLine: true }),
    zCommandVerb,
    zHttpVerb,
  ])
  .meta({ verb: true })

/** A verb that may use these placeholders and no other. */
export const zVerbWith = (...placeholders: readonly string[]): z.ZodType<Verb> =>
  zVerb.meta({ verb: true, placeholders })

const driverTimeoutSeconds = z
  .number()
  .positive()
  .max(600)
  .optional()
  .describe('How long one verb may take. By default 30.')
  .meta({ example: '30' })

/** A wallet driven by verbs of its own. */
const zCommandAdapter = z.strictObject({
  type: z.literal('command').describe('Four verbs of your own, each a command or an HTTP call.'),
  'accept-offer': zVerbWith('link', 'pin')
    .describe('Accepts the offer {link}, with the PIN {pin} where there is one.')
    .meta({ example: 'node my-wallet.mjs accept {link} --pin {pin}' }),
  present: zVerbWith('link')
    .describe('Answers the request {link}.')
    .meta({ example: 'node my-wallet.mjs present {link}' }),
  list: zVerbWith()
    .optional()
    .describe('Prints the credentials of the wallet as a JSON list.')
    .meta({ example: 'node my-wallet.mjs list' }),
  reset: zVerbWith('curve')
    .optional()
    .describe('Makes another, empty wallet, with a key on {curve} where one is asked for.')
    .meta({ example: 'node my-wallet.mjs reset --curve {curve}' }),
  timeoutSeconds: driverTimeoutSeconds,
})

/** A wallet behind the wire of docs/guides/wallet-over-http.md. */
const zHttpAdapter = z.strictObject({
  type: z.literal('http').describe('The four verbs over HTTP, as `testbed wallet serve` has them.'),
  url: z
    .url({ protocol: /^https?$/ })
    .describe('Address below which the verbs are.')
    .meta({ example: 'http://127.0.0.1:4100' }),
  headers: zHeaders.optional().describe('Headers to send with each verb.'),
  timeoutSeconds: driverTimeoutSeconds,
})

/** A wallet in a person's hand. */
const zPersonAdapter = z.strictObject({
  type: z
    .literal('person')
    .describe('A page with QR codes, and somebody who tells what the wallet did.'),
  timeoutSeconds: z
    .number()
    .positive()
    .max(3600)
    .optional()
    .describe('How long the kit waits for a person’s answer. By default 180.')
    .meta({ example: '180' }),
})

/** How a wallet under test is driven. */
export const zWalletAdapter = z.discriminatedUnion('type', [
  zCommandAdapter,
  zHttpAdapter,
  zPersonAdapter,
])

export type WalletAdapter = z.infer<typeof zWalletAdapter>
