import { query } from 'jsonpath-rfc9535'
import { z } from 'zod'
import type { PlanName } from '../kit/check.ts'

/** The kit's own server, which plays the counterparts of the system under test. */
export const zKitOptions = z.strictObject({
  port: z
    .int()
    .min(0)
    .max(65_535)
    .optional()
    .describe(
      'Port of the kit’s server. By default a free port. With a fixed port you configure the system once.',
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
    .describe(
      'Base URL of the kit for the system under test, if it differs from the bound address.',
    )
    .meta({ example: 'http://192.168.1.20:4700' }),
  seed: z
    .string()
    .min(1)
    .optional()
    .describe(
      'Seed from which the kit derives the DIDs and keys of its parties. By default, all kits use the same seed.',
    )
    .meta({ example: 'my-verifier' }),
})

export type KitOptions = z.infer<typeof zKitOptions>

/** A program that the kit starts before the run and ends after it. */
export interface StartCommand {
  readonly command: string
  readonly environment?: Readonly<Record<string, string>> | undefined
  /** Address that returns a 2xx once it is ready. */
  readonly ready?: string | undefined
  readonly timeoutSeconds?: number | undefined
  readonly folder?: string | undefined
}

const zStartCommand: z.ZodType<StartCommand> = z
  .strictObject({
    command: z
      .string()
      .min(1)
      .describe('A command line, run without a shell.')
      .meta({ commandLine: true, example: 'node my-service.mjs' }),
    environment: z
      .record(z.string().regex(/^[A-Za-z_][A-Za-z0-9_]*$/), z.string())
      .optional()
      .describe('Environment variables to add. The kit’s addresses are in TESTBED_….')
      .meta({ variables: true }),
    ready: z
      .url({ protocol: /^https?$/ })
      .optional()
      .describe('Address that returns a 2xx once it is ready.')
      .meta({ example: 'http://127.0.0.1:8080/health' }),
    timeoutSeconds: z
      .number()
      .positive()
      .max(600)
      .optional()
      .describe('How long it may take to become ready. By default 30.')
      .meta({ example: '30' }),
  })
  .meta({ verb: true, placeholders: [] })

/** The members of the target of every plan. */
export const targetMembers = <Plan extends PlanName>(plan: Plan) => ({
  plan: z.literal(plan).describe('The plan that tests this target.').meta({ example: plan }),
  name: z
    .string()
    .min(1)
    .max(100)
    .describe('Name of the system under test, for reports.')
    .meta({ example: `My ${plan.replace('-', ' ')}` }),
  description: z.string().optional().describe('A description for reports.').meta({
    example: 'Version 1.2',
  }),
  kit: zKitOptions.optional().describe('The kit’s own server, for plans that have one.'),
  tls: z
    .strictObject({
      ca: z
        .string()
        .min(1)
        .describe('PEM file, relative to this one.')
        .meta({ certificates: true, example: 'ca.pem' }),
    })
    .optional()
    .describe('The certificate authority of the system, if it is not publicly trusted.'),
  start: zStartCommand
    .optional()
    .describe('A command that runs during the plan: the system under test itself.'),
})

/** The key of a verifier's requests. */
export const zSigner = z
  .strictObject({
    kid: z
      .string()
      .regex(/^did:[^#]+#.+$/, 'must be a DID URL')
      .describe('DID URL of the key that signs the requests of the verifier.'),
    publicKeyJwk: z
      .looseObject({ kty: z.string() })
      .refine((jwk) => !('d' in jwk), 'must be a public key')
      .describe('The public key.'),
  })
  .describe('Added to the DID registry of the kit, to verify signed requests.')

/**
 * A string that no report may show. In the file it is `$NAME`, or contains it, and is read from the
 * environment variable NAME; `$$` is a dollar sign.
 */
export const zSecret = z.string().min(1).meta({ secret: true })

/**
 * Headers of a request that the kit sends; values may refer to environment variables as secrets do.
 */
export const zHeaders = z.record(z.string().regex(/^[\w!#$%&'*+.^`|~-]+$/), z.string()).meta({
  variables: true,
})

/** Says whether a string is a valid JSONPath (RFC 9535). */
export function isJsonPath(text: string): boolean {
  try {
    query({}, text)
    return true
  } catch {
    return false
  }
}

/**
 * A refinement: no value is in two of these lists, such as a state that means both accepted and
 * refused.
 */
export const meaningOneThing =
  (...names: readonly string[]) =>
  (lists: object, context: z.RefinementCtx) => {
    const listed = (name: string) => {
      const values: unknown = Object.entries(lists).find(([each]) => each === name)?.[1]
      return Array.isArray(values) ? values : []
    }
    for (const [index, name] of names.entries()) {
      for (const earlier of names.slice(0, index)) {
        const both = listed(name).find((value) =>
          listed(earlier).map(String).includes(String(value)),
        )
        if (both === undefined) continue
        const message = `must not contain ${both}, which is in ${earlier} as well`
        context.addIssue({ code: 'custom', path: [name], message })
      }
    }
  }

const zValues = z.array(z.union([z.string(), z.number(), z.boolean()])).min(1)

/** Polls a verdict until it is available: an address, and the meaning of its answers. */
export interface StatusPoll {
  /** Placeholders in braces, which the plan defines. */
  readonly url: string
  readonly headers?: Readonly<Record<string, string>> | undefined
  /** The JSONPath of the state in the answer (RFC 9535). */
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
      .describe('Address to poll, with GET.')
      .meta({ template: true, example: 'http://127.0.0.1:8080/status?session={session}' }),
    headers: zHeaders.optional().describe('Headers to send.'),
    path: z
      .string()
      .refine(isJsonPath, 'is not a valid JSONPath (RFC 9535)')
      .describe('JSONPath of the state in the response.')
      .meta({ example: '$.status' }),
    accepted: zValues
      .describe('States that mean that the presentation was accepted.')
      .meta({ example: '[SUCCESS]' }),
    refused: zValues
      .describe('States that mean that the presentation was refused.')
      .meta({ example: '[FAILED]' }),
    pending: zValues
      .optional()
      .describe('States that mean that the verdict is pending. Any other state is reported.')
      .meta({ example: '[PENDING]' }),
    intervalMilliseconds: z
      .int()
      .min(50)
      .max(30_000)
      .optional()
      .describe('Pause between two requests. By default 250.')
      .meta({ example: '250' }),
  })
  .superRefine(meaningOneThing('accepted', 'refused', 'pending'))
  .meta({ poll: true })

/** A status poll that may use only these placeholders. */
export const zStatusPollWith = (...placeholders: readonly string[]): z.ZodType<StatusPoll> =>
  zStatusPoll.meta({ poll: true, placeholders })
