import { z } from 'zod'

const zText = z.string().min(1).max(256)

/**
 * A power in a request, a policy or a credential (profile/issuer, Powers).
 *
 * @row 1.resources-and-their-fields/power-object.1..4 1.limits.4
 */
export const zPower = z.object({
  type: zText.describe('Power type'),
  domain: zText.describe('Domain the power applies to'),
  function: zText.describe('Function within the domain'),
  action: z.array(zText).min(1).max(100).describe('Actions, at least one'),
})

// Together with the other claims of a Bearer token, it must fit into a header of 16 KiB.
const longestPowersJson = 8192

/**
 * The powers of a request or a mandate (profile/issuer, Limits: at least one), at most 8192
 * characters
 * of JSON.
 *
 * @row 1.limits.5
 * @assumption A-60
 */
export const zPowers = z
  .array(zPower)
  .min(1)
  .max(100)
  .refine((powers) => JSON.stringify(powers).length <= longestPowersJson, {
    message: `must be at most ${longestPowersJson} characters of JSON`,
  })

export type Power = z.infer<typeof zPower>

/**
 * Returns the requested powers that the policies do not cover; empty if all are authorized. A
 * policy covers a power if it matches its type, domain and function (equal, or `*` in the policy)
 * and contains each of its actions (or `*`).
 *
 * @row 1.resources-and-their-fields/power-object.6
 * @assumption A-24
 */
export function unauthorizedPowers(
  requested: readonly Power[],
  policies: readonly Power[],
): readonly Power[] {
  return requested.filter((power) => !policies.some((policy) => covers(policy, power)))
}

function covers(policy: Power, power: Power): boolean {
  return (
    matches(policy.type, power.type) &&
    matches(policy.domain, power.domain) &&
    matches(policy.function, power.function) &&
    power.action.every((action) => policy.action.some((allowed) => matches(allowed, action)))
  )
}

function matches(allowed: string, wanted: string): boolean {
  return allowed === '*' || allowed === wanted
}
