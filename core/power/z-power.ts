import { z } from 'zod'

const zText = z.string().min(1).max(256)

/** A power as it is requested, granted and held (Document 1, Power object). */
export const zPower = z.object({
  type: zText.describe('Power type'),
  domain: zText.describe('Domain the power applies to'),
  function: zText.describe('Function within the domain'),
  action: z.array(zText).min(1).max(100).describe('Actions, at least one'),
})

/** The powers of a request or a mandate (Document 1, Limits: at least one). */
export const zPowers = z.array(zPower).min(1).max(100)

export type Power = z.infer<typeof zPower>
