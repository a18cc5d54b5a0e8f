import { z } from 'zod'
import { isTestbedError } from '#core/errors/testbed-error.ts'
import { maskSecrets } from '#core/json/mask-secrets.ts'
import { createHttpClient } from '#kit/create-http-client.ts'
import type { Runtime } from '#kit/runtime.ts'
import type { IdpConfig } from '../config.ts'

const zRule = z.object({
  rule: z.string(),
  statement: z.string(),
  path: z.string().default(''),
  passed: z.boolean(),
  notes: z.array(z.string()).default([]),
})
const zFailure = z.object({
  rule: z.string(),
  reason: z.string(),
  path: z.string().default(''),
  got: z.unknown().optional(),
})
const zLookup = z.object({
  service: z.string(),
  what: z.string(),
  found: z.boolean(),
  unavailable: z.boolean().default(false),
  reason: z.string().optional(),
  milliseconds: z.number(),
})
const zTrustStep = z.object({
  did: z.string(),
  attribute_id: z.string().default(''),
  issuer_type: z.string().default(''),
  tao: z.string().default(''),
})

/** What the verification service tells its operator of a verdict; what is missing is empty. */
const zExplanation = z.looseObject({
  holder_did: z.string().optional(),
  checked: z.array(zRule).default([]),
  failures: z.array(zFailure).default([]),
  lookups: z.array(zLookup).default([]),
  trust_chain: z.array(zTrustStep).default([]),
  presentation: z.unknown(),
  credential: z.unknown(),
})

export type Explanation = z.infer<typeof zExplanation>

export interface ExplanationClient {
  /**
   * What a session's verdict rests on, with secrets masked. `undefined` where nothing has been
   * presented, `unavailable` where the verification service gives no answer that is to be understood.
   */
  find(verifierSessionId: string): Promise<Explanation | undefined | 'unavailable'>
}

/** The verification service, as the operator asks it why. */
export function createExplanationClient(config: IdpConfig, runtime: Runtime): ExplanationClient {
  const verifier = createHttpClient(runtime, {
    caller: 'idp',
    dependency: 'verification service',
    baseUrl: config.verifierUrl,
    faults: ['verifier-down'],
    headers: { 'x-api-key': config.verifierApiKey },
  })
  const zSession = z.object({ explanation: zExplanation.nullable() })
  return {
    async find(verifierSessionId) {
      const path = `/sessions/${encodeURIComponent(verifierSessionId)}`
      const answer = await verifier.getJson(path).catch((error) => {
        if (isTestbedError(error)) return undefined
        throw error
      })
      const session = zSession.safeParse(maskSecrets(answer?.json))
      if (answer?.status !== 200 || !session.success) return 'unavailable'
      return session.data.explanation ?? undefined
    },
  }
}
