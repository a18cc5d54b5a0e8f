import type { CheckedRule, VerificationFailure } from '#core/verification/rules.ts'

/** The result of the validation of a credential, rule by rule, and the wallet's decision. */
export interface CredentialVerdict {
  readonly verdict: 'accepted' | 'accepted-with-warnings' | 'refused'
  /** Every broken rule, regardless of the policy. */
  readonly failures: readonly VerificationFailure[]
  /** Every rule that could not be checked: a registry is unavailable or not configured. */
  readonly unchecked: readonly VerificationFailure[]
  /** Every evaluated rule, with its requirement. */
  readonly checked: readonly CheckedRule[]
}

/**
 * The reaction to a failed rule: reject the credential, accept it with a warning, or ignore the
 * failure.
 */
export type RuleReaction = 'refuse' | 'warn' | 'accept'

/** A rule (`credential.status`), a group of rules (`trust.*`), or all (`*`). */
export type RulePattern = '*' | `${string}.${string}`

/** One reaction for all rules, or one per pattern; the most specific pattern counts. */
export type RuleReactions = RuleReaction | Readonly<Partial<Record<RulePattern, RuleReaction>>>

/** How a wallet reacts to failed rules of a received credential. */
export interface ReceivedCredentialPolicy {
  /** Broken rules. Default: refuse. */
  readonly broken?: RuleReactions
  /**
   * Rules that could not be checked because a registry or an issuer is unavailable. Default:
   * refuse.
   */
  readonly unavailable?: RuleReactions
  /** Rules that could not be checked because no source is configured. Default: warn. */
  readonly notAsked?: RuleReactions
}

/** Returns the policy's reaction to a failure. */
export function reactionTo(
  { broken = 'refuse', unavailable = 'refuse', notAsked = 'warn' }: ReceivedCredentialPolicy,
  { rule, unchecked }: VerificationFailure,
): RuleReaction {
  if (unchecked === 'not-asked') return reactionIn(notAsked, rule) ?? 'warn'
  return reactionIn(unchecked === 'unavailable' ? unavailable : broken, rule) ?? 'refuse'
}

function reactionIn(reactions: RuleReactions, rule: string): RuleReaction | undefined {
  if (typeof reactions === 'string') return reactions
  const patterns = [rule, rule.replace(/\..*$/, '.*'), '*'] as RulePattern[]
  const closest = patterns.find((pattern) => Object.hasOwn(reactions, pattern))
  return closest && reactions[closest]
}
