import { z } from 'zod'

const zHeaders = z.record(z.string(), z.string())

const zRuleVerdict = z.object({
  /** Stable name, for example `credential.power`. */
  rule: z.string(),
  passed: z.boolean(),
  /** The condition of the rule. */
  statement: z.string().optional(),
  /** The input on which it was evaluated if there are several, for example `hops[1]`. */
  path: z.string().optional(),
  reasons: z.array(z.string()).readonly().optional(),
  /** How to fix the request, if it breaks the rule. */
  fix: z.string().optional(),
  notes: z.array(z.string()).readonly().optional(),
})

/**
 * One recorded exchange between two parts, as returned by `GET /control/traces`, secrets masked.
 */
export const zHop = z.object({
  id: z.int(),
  /** Unix time in milliseconds, by the testbed's clock. */
  at: z.number(),
  durationMilliseconds: z.number(),
  requestId: z.string().optional(),
  scenarioId: z.string().optional(),
  /** Undefined for emails: all environments share the mail server. */
  environment: z.string().optional(),
  from: z.string(),
  to: z.string(),
  kind: z.string(),
  method: z.string(),
  url: z.string(),
  status: z.int(),
  requestHeaders: zHeaders.optional(),
  requestBody: z.unknown().optional(),
  responseHeaders: zHeaders.optional(),
  responseBody: z.unknown().optional(),
  /** Rules that the answering part evaluated on the request. */
  rules: z.array(zRuleVerdict).readonly().optional(),
})

export type Hop = z.infer<typeof zHop>

/** The answers of the control interface, as far as scenarios read them. */
export const zBearerToken = z.object({ access_token: z.string() })
export const zOffer = z.object({
  offer_uri: z.string(),
  pin: z.string().optional(),
  subject_id: z.string(),
})
export const zDefectiveCredential = zOffer
  .omit({ subject_id: true })
  .extend({ credential: z.string().optional() })
export const zDefect = z.object({
  name: z.string(),
  description: z.string(),
  rule: z.string().nullable(),
  entails: z.array(z.string()),
})
export const zTransaction = z.object({
  hash: z.string(),
  receipt: z.unknown(),
  events: z.array(z.unknown()),
  revertReason: z.unknown().optional(),
})
export const zBlock = z.object({ transactions: z.array(z.string()) })
export const zClock = z.object({ now: z.number() })
export const zFault = z.object({ active: z.boolean() })
export const zFaults = z.object({
  faults: z.array(z.object({ name: z.string(), active: z.boolean() })),
})
export const zSnapshot = z.object({ id: z.string() })
export const zTraces = z.object({ hops: z.array(zHop) })
