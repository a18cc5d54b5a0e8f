import { z } from 'zod'

const zText = z.string().min(1).max(256)

/**
 * A power as it is requested, granted and held (Document 1, Power object).
 *
 * @row 1.resources-and-their-fields/power-object.1..4 1.limits.4
 */
export const zPower = z.object({
  type: zText.describe('Power type'),
  domain: zText.describe('Domain the power applies to'),
  function: zText.describe('Function within the domain'),
  action: z.array(zText).min(1).max(100).describe('Actions, at least one'),
})

/**
 * The powers of a request or a mandate (Document 1, Limits: at least one).
 *
 * @row 1.limits.5
 */
export const zPowers = z.array(zPower).min(1).max(100)

export type Power = z.infer<typeof zPower>
