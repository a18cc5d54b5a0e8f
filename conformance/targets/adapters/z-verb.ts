import { z } from 'zod'
import { meaningOneThing, zHeaders } from '../target-members.ts'

/** The meaning of exit codes or statuses. */
interface OutcomeNumbers {
  readonly done?: readonly number[] | undefined
  readonly refused?: readonly number[] | undefined
}

/** A verb that is a command line. It is split into words, and no shell runs it. */
export interface CommandVerb {
  readonly command: string
  /** Added to its environment, which has PATH, the home folder and the kit's addresses. */
  readonly environment?: Readonly<Record<string, string>> | undefined
  /** The meaning of its exit codes; by default 0 is done, 1 refused, and any other failed. */
  readonly exitCodes?: OutcomeNumbers | undefined
  readonly timeoutSeconds?: number | undefined
  /** Its working directory; a target's commands run in the folder of its file. */
  readonly folder?: string | undefined
}

/** A verb that is an HTTP call. */
export interface HttpVerb {
  readonly url: string
  readonly method?: string | undefined
  readonly headers?: Readonly<Record<string, string>> | undefined
  /** Sent as JSON. A member that is only a placeholder without a value is left out. */
  readonly json?: unknown
  /** Sent as application/x-www-form-urlencoded. */
  readonly form?: Readonly<Record<string, string>> | undefined
  /** The meaning of statuses; by default 2xx is done, and a 4xx about the subject is refused. */
  readonly statuses?: OutcomeNumbers | undefined
  readonly timeoutSeconds?: number | undefined
}

/** One operation of the system under test. */
export type Verb = string | CommandVerb | HttpVerb

const timeoutSeconds = z
  .number()
  .positive()
  .max(600)
  .optional()
  .describe('The time limit of the verb; if it passes, there is no verdict. By default 30.')
  .meta({ example: '30' })

const zCodes = z.array(z.int().min(0).max(599)).min(1)

const zCommandVerb = z
  .strictObject({
    command: z.string().min(1).describe('A command line, run without a shell.').meta({
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
      .superRefine(meaningOneThing('done', 'refused'))
      .optional()
      .describe('The meaning of exit codes; by default 0 is done and 1 refused.'),
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
      .regex(/^[A-Z]+$/, 'must be in upper case')
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
      .superRefine(meaningOneThing('done', 'refused'))
      .optional()
      .describe('The meaning of HTTP statuses.'),
    timeoutSeconds,
  })
  .describe('An HTTP call.')

/**
 * A verb: a command line, a command line with options, or an HTTP call. Placeholders are in braces:
 * `{link}`, `{pin}`.
 */
export const zVerb: z.ZodType<Verb> = z
  .union([
    z.string().min(1).describe('A command line, run without a shell.').meta({ commandLine: true }),
    zCommandVerb,
    zHttpVerb,
  ])
  .meta({ verb: true })

/** A verb that may use only these placeholders. */
export const zVerbWith = (...placeholders: readonly string[]): z.ZodType<Verb> =>
  zVerb.meta({ verb: true, placeholders })

const driverTimeoutSeconds = z
  .number()
  .positive()
  .max(600)
  .optional()
  .describe('The time limit of one verb. By default 30.')
  .meta({ example: '30' })

/** A wallet driven by separate verbs. */
const zCommandAdapter = z.strictObject({
  type: z.literal('command').describe('Four verbs that you write, each a command or an HTTP call.'),
  'accept-offer': zVerbWith('link', 'pin')
    .describe('Accepts the offer {link}, with the PIN {pin} if it has one.')
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
    .describe('Creates a new, empty wallet, with a key on {curve} if given.')
    .meta({ example: 'node my-wallet.mjs reset --curve {curve}' }),
  timeoutSeconds: driverTimeoutSeconds,
})

/** A wallet with the HTTP interface of docs/guides/wallet-over-http.md. */
const zHttpAdapter = z.strictObject({
  type: z
    .literal('http')
    .describe('The four verbs over HTTP, as `testbed wallet serve` offers them.'),
  url: z
    .url({ protocol: /^https?$/ })
    .describe('Base address of the verbs.')
    .meta({ example: 'http://127.0.0.1:4100' }),
  headers: zHeaders.optional().describe('Headers to send with each verb.'),
  timeoutSeconds: driverTimeoutSeconds,
})

/** A wallet that a person holds. */
const zPersonAdapter = z.strictObject({
  type: z
    .literal('person')
    .describe('A page with QR codes, and a person who reports what the wallet did.'),
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
