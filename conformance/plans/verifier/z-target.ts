import { z } from 'zod'
import { zVerbWith } from '../../targets/adapters/z-verb.ts'
import {
  isJsonPath,
  meaningOneThing,
  targetMembers,
  zSigner,
  zStatusPollWith,
} from '../../targets/target-members.ts'

const zJsonPath = z.string().refine(isJsonPath, 'must be a valid JSONPath (RFC 9535)')

const zPattern = z.string().refine((text) => {
  try {
    return new RegExp(`${text}|`).exec('')?.length === 2
  } catch {
    return false
  }
}, 'must be a regular expression with one group')

/** The placeholders in a verdict. */
const sessionPlaceholders = ['session', 'state', 'client_id', 'request_uri', 'response_uri']

const zPage = z.strictObject({
  page: z
    .string()
    .regex(/^https?:\/\//, 'must begin with http:// or https://')
    .describe('A page that shows the request as a link or a QR code. {random} is a random string.')
    .meta({
      template: true,
      example: 'https://idp.example/accounts/authorize?client_id=kit&state={random}',
    }),
  session: zPattern
    .optional()
    .describe('A regular expression whose group is the session id, in the page or its URL.')
    .meta({ example: 'data-session="([^"]+)"' }),
})

const zCall = z.strictObject({
  call: zVerbWith('random').describe('A command or an HTTP call that starts a session.'),
  link: zJsonPath
    .optional()
    .describe('JSONPath of the openid4vp: link. By default the first link in the response.')
    .meta({ example: '$.authorization_request' }),
  session: zJsonPath
    .optional()
    .describe('JSONPath of the session id.')
    .meta({ example: '$.session_id' }),
})

const zStatuses = z.array(z.int().min(100).max(599)).min(1)
const zNames = z.array(z.string().min(1)).min(1)

const zVerdict = z
  .strictObject({
    poll: zStatusPollWith(...sessionPlaceholders)
      .optional()
      .describe('The HTTP call that returns the state of a session.'),
    command: zVerbWith(...sessionPlaceholders)
      .optional()
      .describe(
        'A command or an HTTP call that returns the verdict: done means accepted, refused means refused.',
      ),
    response: z
      .strictObject({
        accepted: zStatuses.optional().describe('Statuses that mean it was accepted.'),
        refused: zStatuses.optional().describe('Statuses that mean it was refused.'),
      })
      .superRefine(meaningOneThing('accepted', 'refused'))
      .optional()
      .describe('HTTP statuses of the response endpoint that decide the verdict.'),
    redirect: z
      .strictObject({
        accepted: zNames.optional().describe('Parameters that mean it was accepted.'),
        refused: zNames.optional().describe('Parameters that mean it was refused.'),
      })
      .superRefine(meaningOneThing('accepted', 'refused'))
      .optional()
      .describe(
        'Parameters of the redirect_uri in the response that decide the verdict, for example error.',
      ),
    person: z
      .literal(true)
      .optional()
      .describe('Ask a person who watches the verifier after each presentation.')
      .meta({ example: 'true' }),
    silence: z
      .enum(['undecided', 'refused'])
      .optional()
      .describe('The verdict if no source reports one in time. By default undecided.'),
    withinSeconds: z
      .number()
      .positive()
      .max(300)
      .optional()
      .describe('The time limit for a verdict, in seconds. By default 5.')
      .meta({ example: '5' }),
    explanation: z
      .strictObject({
        call: zVerbWith(...sessionPlaceholders),
        path: zJsonPath.meta({ example: '$.failures[*].rule' }),
      })
      .optional()
      .describe('A call that returns the reasons of a rejection, for the evidence.'),
  })
  .refine(
    ({ poll, command, response, redirect, person }) =>
      poll ?? command ?? response ?? redirect ?? person,
    'needs a source of the verdict: poll, command, response, redirect or person',
  )

/** The members of a verdict that are called with placeholders. */
const calls = ['poll', 'command', 'explanation'] as const

/** A verifier under test: how to start a session, and where to read its verdict. */
export const zVerifierTarget = z
  .strictObject({
    ...targetMembers('verifier'),
    request: z.union([zPage, zCall]).describe('How to obtain a presentation request.'),
    verdict: zVerdict.describe(
      'Where to read whether a presentation was accepted: poll, command, response, redirect or person.',
    ),
    signer: zSigner.optional(),
  })
  .superRefine(({ request, verdict }, context) => {
    for (const name of calls) {
      if (request.session !== undefined || !JSON.stringify(verdict[name])?.includes('{session}')) {
        continue
      }
      const message = 'uses {session}, but request.session does not say where the session id is'
      context.addIssue({ code: 'custom', path: ['verdict', name], message })
    }
  })

export type VerifierTarget = z.infer<typeof zVerifierTarget>
