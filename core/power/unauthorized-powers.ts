import type { Power } from './z-power.ts'

/**
 * The requested powers that the policies do not cover; empty where all are authorised. A power is
 * covered when one policy matches its type, domain and function (equal, or `*` in the policy) and
 * holds each of its actions (or `*`).
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
