import { z } from 'zod'
import { paragraphOfRule } from '#core/profile/rule-paragraphs.ts'
import { createHttpClient } from '#kit/create-http-client.ts'
import type { EnvironmentContext } from '#testbed/services/environment-context.ts'
import { asSentence } from '../frame/as-sentence.ts'

const zSession = z.object({
  explanation: z
    .object({
      checked: z.array(
        z.object({
          rule: z.string(),
          statement: z.string(),
          fix: z.string().optional(),
          passed: z.boolean(),
        }),
      ),
      failures: z.array(
        z.object({
          rule: z.string(),
          reason: z.string(),
          path: z.string().default(''),
          got: z.unknown().optional(),
        }),
      ),
    })
    .nullable(),
})

/** Why a verifier rejected a presentation. */
export interface Rejection {
  /** Id of the session at the verifier. */
  readonly sessionId: string
  readonly rule: string
  /** The requirement, as one sentence. */
  readonly statement?: string
  /** What the verifier found. */
  readonly reason: string
  /** The value found, if the rule shows one. */
  readonly actual?: string
  /** Its place, for example `vc.credentialStatus`. */
  readonly path: string
  readonly fix?: string
  /** `docs/profile/PAGE.md#ANCHOR` */
  readonly paragraph?: string
  /** How many rules were evaluated, and how many passed. */
  readonly evaluated: number
  readonly passed: number
}

/** The first broken rule of a verifier's session; undefined if it broke none. */
export async function explainRejection(
  context: EnvironmentContext,
  sessionId: string,
): Promise<Rejection | undefined> {
  const verifier = createHttpClient(context.runtime, {
    caller: 'console',
    dependency: 'verifier',
    baseUrl: context.localUrls.verifier,
    headers: { 'x-api-key': context.secret('api-key/verifier') },
  })
  const { json } = await verifier.getJson(`/sessions/${encodeURIComponent(sessionId)}`)
  const explanation = zSession.safeParse(json).data?.explanation
  const failure = explanation?.failures[0]
  if (!explanation || failure === undefined) return undefined
  const { rule, reason, path, got } = failure
  const checked = explanation.checked.find((each) => each.rule === rule)
  const paragraph = paragraphOfRule(rule)
  return {
    sessionId,
    rule,
    ...(checked && { statement: checked.statement }),
    reason: asSentence(reason),
    ...(got !== undefined && { actual: typeof got === 'string' ? got : JSON.stringify(got) }),
    path,
    ...(checked?.fix !== undefined && { fix: checked.fix }),
    ...(paragraph !== undefined && { paragraph }),
    evaluated: explanation.checked.length,
    passed: explanation.checked.filter(({ passed }) => passed).length,
  }
}
