import { z } from 'zod'
import type { HttpAnswer } from '#kit/create-http-client.ts'
import { refusedByService } from '#testbed/control/errors.ts'
import { createServiceClient } from '#testbed/services/service-client.ts'
import type { RunningEnvironment } from '#testbed/services/start-environment.ts'

const zText = z.string().optional()

const zSession = z.object({
  code: z.string(),
  status: z.enum(['PENDING', 'SUCCESS', 'FAILED']),
  ending: z.enum(['expired', 'cancelled']).optional(),
  client: zText,
  person: zText,
  organization: zText,
  failures: z.object({
    broken: z.array(z.object({ rule: z.string(), reason: z.string() })),
    unavailable: z.array(z.string()),
  }),
  createdAt: z.int(),
})

/** A verification session as the IDP describes it to its operator. */
export type Session = z.infer<typeof zSession>

const zRule = z.object({
  rule: z.string(),
  statement: z.string(),
  fix: zText,
  path: z.string().default(''),
  passed: z.boolean(),
  notes: z.array(z.string()).default([]),
})

export type Rule = z.infer<typeof zRule>

/** The explanation of a verdict, as the verifier returns it. */
export const zExplanation = z.object({
  holder_did: zText,
  checked: z.array(zRule),
  failures: z.array(
    z.object({
      rule: z.string(),
      reason: z.string(),
      path: z.string().default(''),
      got: z.unknown().optional(),
    }),
  ),
  lookups: z.array(
    z.object({
      service: z.string(),
      what: z.string(),
      found: z.boolean(),
      unavailable: z.boolean().default(false),
      reason: zText,
      milliseconds: z.number(),
    }),
  ),
  trust_chain: z.array(
    z.object({
      did: z.string(),
      attribute_id: z.string(),
      issuer_type: z.string(),
      tao: z.string(),
    }),
  ),
  presentation: z.unknown(),
  credential: z.unknown(),
})

/** The basis of a verdict. */
export type Explanation = z.infer<typeof zExplanation>

const zSessionList = z.object({ sessions: z.array(zSession), hasMore: z.boolean() })

const zExplainedSession = z.object({
  session: zSession,
  explanation: z.union([zExplanation, z.literal('unavailable'), z.null()]),
})

export type ExplainedSession = z.infer<typeof zExplainedSession>

function idpOf({ context }: RunningEnvironment) {
  return createServiceClient(context, 'idp', {
    caller: 'console',
    baseUrl: `${context.localUrls.idp}/idp/api/operator`,
    limit: 8 * 1024 * 1024,
  })
}

function parseAnswer<Schema extends z.ZodType>(
  { status, json }: HttpAnswer,
  schema: Schema,
): z.output<Schema> {
  const parsed = schema.safeParse(json)
  if (status < 300 && parsed.success) return parsed.data
  throw refusedByService(status, json, 'The IDP did not send a valid response.')
}

/**
 * The verification sessions of the IDP, newest first, 25 on a page; pages count from 0.
 *
 * @throws TestbedError if the IDP does not answer
 */
export async function listSessions(
  running: RunningEnvironment,
  { status, page }: { readonly status?: Session['status'] | undefined; readonly page: number },
): Promise<z.infer<typeof zSessionList>> {
  const query = new URLSearchParams({ page: String(page), ...(status && { status }) })
  return parseAnswer(await idpOf(running).getJson(`/sessions?${query}`), zSessionList)
}

/**
 * One verification session with the basis of its verdict.
 *
 * @throws TestbedError `not_found` (404), or if the IDP does not answer
 */
export async function readSession(
  running: RunningEnvironment,
  code: string,
): Promise<ExplainedSession> {
  const path = `/sessions/${encodeURIComponent(code)}`
  return parseAnswer(await idpOf(running).getJson(path), zExplainedSession)
}

/**
 * An address that opens the IDP's admin panel once, within a minute, without its password.
 *
 * @throws TestbedError if the IDP has no administrator or does not answer
 */
export async function createAdminLink(running: RunningEnvironment): Promise<string> {
  const answer = await idpOf(running).postJson('/admin-links', {})
  return parseAnswer(answer, z.object({ url: z.url() })).url
}
