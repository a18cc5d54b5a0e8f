import type { CheckedRule, VerificationFailure } from '#core/verification/rules.ts'

/** What a wallet thinks of a credential, rule by rule, and what follows from it. */
export interface CredentialVerdict {
  readonly verdict: 'accepted' | 'accepted-with-warnings' | 'refused'
  /** Every broken rule, whatever the policy says about it. */
  readonly failures: readonly VerificationFailure[]
  /** Every rule that could not be checked: a registry was away, or the wallet knows none. */
  readonly unchecked: readonly VerificationFailure[]
  /** Every rule that was looked at, with what has to hold. */
  readonly checked: readonly CheckedRule[]
}

/** What follows from a rule: keep the credential from the store, tell, or pass over it. */
export type RuleReaction = 'refuse' | 'warn' | 'accept'

/** A rule (`credential.status`), a group of them (`trust.*`), or all (`*`). */
export type RulePattern = '*' | `${string}.${string}`

/** One reaction for all rules, or one for each; the closest pattern counts. */
export type RuleReactions = RuleReaction | Readonly<Partial<Record<RulePattern, RuleReaction>>>

/** What a wallet does about what it finds in a credential that it received. */
export interface ReceivedCredentialPolicy {
  /** Rules that are broken. By default they refuse. */
  readonly broken?: RuleReactions
  /** Rules that could not be checked since a registry or an issuer gave no answer. Default: refuse. */
  readonly unavailable?: RuleReactions
  /** Rules that the wallet has nobody to ask about, as nobody was given to it. Default: warn. */
  readonly notAsked?: RuleReactions
}

/** What the policy has a wallet do about one failure. */
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
