import { z } from 'zod'

const zHeaders = z.record(z.string(), z.string())

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
})

export type Hop = z.infer<typeof zHop>
