import type { VerificationFailure } from '#core/verification/rules.ts'
import { plainText } from '../terminal/print.ts'

/** A broken rule for the terminal, with where: one rule may be broken in several places. */
export function describeFailure({ rule, path, reason }: VerificationFailure): string {
  return `${rule}${path === '' ? '' : ` (${plainText(path)})`}: ${plainText(reason)}`
}
