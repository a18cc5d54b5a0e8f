import { z } from 'zod'
import { zVerbWith } from '../../targets/adapters/z-verb.ts'
import { isJsonPath, targetMembers, zStatusPollWith } from '../../targets/target-members.ts'

const zJsonPath = z.string().refine(isJsonPath, 'is no JSONPath (RFC 9535)')

const zPattern = z.string().refine((text) => {
  try {
    return new RegExp(`${text}|`).exec('')?.length === 2
  } catch {
    return false
  }
}, 'must be a regular expression with one group')

/** What placeholders of a verdict stand for. */
const sessionPlaceholders = ['session', 'state', 'client_id', 'request_uri', 'response_uri']

const zPage = z.strictObject({
  page: z
    .string()
    .regex(/^https?:\/\//, 'must begin with http:// or https://')
    .describe('A page that shows the request as a link or a QR code; {random} is a new text.')
    .meta({
      template: true,
      example: 'https://idp.example/accounts/authorize?client_id=kit&state={random}',
    }),
  session: zPattern
    .optional()
    .describe('What of the page, or of its address, is the session: a regular expression.')
    .meta({ example: 'data-session="([^"]+)"' }),
})

const zCall = z.strictObject({
  call: zVerbWith('random').describe('A command or an HTTP call that begins a session.'),
  link: zJsonPath
    .optional()
    .describe('JSONPath of the openid4vp: link; by default the first one in the answer.')
    .meta({ example: '$.authorization_request' }),
  session: zJsonPath
    .optional()
    .describe('JSONPath of what names the session.')
    .meta({ example: '$.session_id' }),
})

const zStatuses = z.array(z.int().min(100).max(599)).min(1)
const zNames = z.array(z.string().min(1)).min(1)

const zVerdict = z
  .strictObject({
    poll: zStatusPollWith(...sessionPlaceholders)
      .optional()
      .describe('Where the state of a session is asked for.'),
    command: zVerbWith(...sessionPlaceholders)
      .optional()
      .describe('A command or an HTTP call that tells: done is accepted, refused is refused.'),
    response: z
      .strictObject({ accepted: zStatuses.optional(), refused: zStatuses.optional() })
      .optional()
      .describe('HTTP statuses of the response endpoint that tell it at once.'),
    redirect: z
      .strictObject({ accepted: zNames.optional(), refused: zNames.optional() })
      .optional()
      .describe('Parameters of the redirect_uri in its answer that tell it, for example error.'),
    person: z
      .literal(true)
      .optional()
      .describe('Somebody who sees the verifier is asked after each presentation.')
      .meta({ example: 'true' }),
    silence: z
      .enum(['undecided', 'refused'])
      .optional()
      .describe('What it means that nothing is to be seen in time; by default nothing.'),
    withinSeconds: z
      .number()
      .positive()
      .max(300)
      .optional()
      .describe('How long a verdict may take. By default 5.')
      .meta({ example: '5' }),
    explanation: z
      .strictObject({
        call: zVerbWith(...sessionPlaceholders),
        path: zJsonPath.meta({ example: '$.failures[*].rule' }),
      })
      .optional()
      .describe('Where the verifier says why it refused, for the evidence.'),
  })
  .refine(
    ({ poll, command, response, redirect, person }) =>
      poll ?? command ?? response ?? redirect ?? person,
    'needs a place where the verdict shows: poll, command, response, redirect or person',
  )

/** A verifier under test: how a session begins, and where its verdict shows. */
export const zVerifierTarget = z.strictObject({
  ...targetMembers('verifier'),
  request: z.union([zPage, zCall]).describe('How a presentation request is had.'),
  verdict: zVerdict.describe('Where it shows whether a presentation was accepted.'),
  signer: z
    .strictObject({
      kid: z
        .string()
        .regex(/^did:[^#]+#.+$/, 'must be a DID URL')
        .describe('DID URL of the key that signs its requests.'),
      publicKeyJwk: z
        .looseObject({ kty: z.string() })
        .refine((jwk) => !('d' in jwk), 'must be a public key')
        .describe('The key.'),
    })
    .optional()
    .describe('Registered in the kit’s DID registry, by which signed requests are verified.'),
})

export type VerifierTarget = z.infer<typeof zVerifierTarget>
