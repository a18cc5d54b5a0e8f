import { z } from 'zod'

const zHeaders = z.record(z.string(), z.string())

const zRuleVerdict = z.object({
  /** Stable name, for example `credential.power`. */
  rule: z.string(),
  passed: z.boolean(),
  /** What has to hold. */
  statement: z.string().optional(),
  /** Which of several inputs it was evaluated on, for example `hops[1]`. */
  path: z.string().optional(),
  reasons: z.array(z.string()).readonly().optional(),
  notes: z.array(z.string()).readonly().optional(),
})

/** One recorded exchange between two parts, as `GET /control/traces` tells it, secrets masked. */
export const zHop = z.object({
  id: z.int(),
  /** Unix time in milliseconds, by the testbed's clock. */
  at: z.number(),
  durationMilliseconds: z.number(),
  requestId: z.string().optional(),
  scenarioId: z.string().optional(),
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
  /** Rules that whoever answered evaluated on the request. */
  rules: z.array(zRuleVerdict).readonly().optional(),
})

export type Hop = z.infer<typeof zHop>
export type RuleVerdict = z.infer<typeof zRuleVerdict>
