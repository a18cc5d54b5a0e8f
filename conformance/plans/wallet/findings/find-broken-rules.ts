import type { VerificationFailure } from '#core/verification/rules.ts'
import { broken, type Finding, held } from '../../../kit/check.ts'

/** What rules that were evaluated say: every broken one is told. `what` is what was looked at. */
export function findBrokenRules(
  what: string,
  failures: readonly VerificationFailure[],
  verdictSource: string,
): Finding {
  if (failures.length === 0) return held(`${what} keeps every rule.`, { verdictSource })
  const told = failures.map(({ rule, path, reason }) => {
    const where = path === '' ? '' : ` at ${path}`
    return `${rule}${where}: ${reason}`
  })
  return broken(`${what} breaks ${told.join('; ')}.`, { verdictSource, failures })
}
