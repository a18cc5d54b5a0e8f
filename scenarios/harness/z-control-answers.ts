import { z } from 'zod'
import { zHop } from './z-hop.ts'

/** What the control interface answers, as far as scenarios read it. */
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
