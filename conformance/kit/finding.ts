import { TestbedError } from '#core/errors/testbed-error.ts'
import type { VerificationFailure } from '#core/verification/rules.ts'
import type { CheckLevel } from './define-check.ts'

/** What a check found about the system under test. */
export interface Finding {
  /**
   * `held`: it did what is demanded. `broken`: it was seen not to. `inconclusive`: nothing was
   * observed that would show either; never counts in favour.
   */
  readonly kind: 'held' | 'broken' | 'inconclusive'
  /** What was found, in a sentence for people. */
  readonly reason: string
  /** Where the verdict was seen: `HTTP status of the token endpoint`, `exit code of accept-offer`. */
  readonly verdictSource?: string
  readonly expected?: unknown
  readonly actual?: unknown
  /**
   * Where what was found weighs less than the check: it refused, as the documents demand, but with
   * another error code than OpenID4VCI has.
   */
  readonly level?: CheckLevel
  /** It accepted what it has to refuse: that counts whether or not the check's control holds. */
  readonly isAcceptance?: true
  /** Broken rules by name, where a verification of what the system sent found them. */
  readonly failures?: readonly VerificationFailure[]
}

export type FindingDetails = Omit<Finding, 'kind' | 'reason'>

/** The system did what is demanded. */
export const held = (reason: string, details: FindingDetails = {}): Finding => ({
  kind: 'held',
  reason,
  ...details,
})

/** The system was seen not to do what is demanded. */
export const broken = (reason: string, details: FindingDetails = {}): Finding => ({
  kind: 'broken',
  reason,
  ...details,
})

/** The system was seen to accept what it has to refuse, which counts without a control. */
export const wronglyAccepted = (reason: string, details: FindingDetails = {}): Finding =>
  broken(reason, { ...details, isAcceptance: true })

/** Nothing was observed that would show either; the reason says what is missing. */
export const inconclusive = (reason: string, details: FindingDetails = {}): Finding => ({
  kind: 'inconclusive',
  reason,
  ...details,
})

const code = 'check_ended'

/** Ends a check from wherever it is. */
export function endCheck(finding: Finding): never {
  const { reason: message } = finding
  throw new TestbedError({ code, status: 500, message, extra: { finding } })
}

/** What {@link endCheck} ended a check with; undefined for any other error. */
export function endedWith(error: unknown): Finding | undefined {
  if (!(error instanceof TestbedError) || error.code !== code) return undefined
  return error.extra.finding as Finding
}
