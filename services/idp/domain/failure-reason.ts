/** Why a login failed, in the words of people; the pages' texts have a sentence for each. */
export type FailureReason =
  | 'service-unavailable'
  | 'revoked'
  | 'expired'
  | 'not-yet-valid'
  | 'wrong-type'
  | 'issuer-not-accredited'
  | 'wrong-holder'
  | 'invalid-signature'
  | 'incomplete'
  | 'invalid-presentation'

// Where several rules are broken, the first line that one of them is in says why.
const reasons: readonly (readonly [FailureReason, RegExp])[] = [
  ['wrong-type', /^credential\.type$/],
  ['revoked', /^credential\.status$/],
  ['expired', /^credential\.expiry$/],
  ['not-yet-valid', /^credential\.(not-before|issued-at)$/],
  ['wrong-holder', /^credential\.holder$/],
  ['invalid-signature', /^credential\.(signature|issuer|issuer-key|issuer-document|algorithm)$/],
  ['issuer-not-accredited', /^(trust\..*|credential\.terms-of-use)$/],
  ['incomplete', /^(credential\..*|account\..*)$/],
]

interface BrokenRules {
  readonly broken: readonly { readonly rule: string }[]
  /** Services that did not answer. */
  readonly unavailable: readonly string[]
}

/** The one reason to show for the rules that a presentation broke. */
export function failureReason({ broken, unavailable }: BrokenRules): FailureReason {
  const rules = broken.map(({ rule }) => rule)
  if (unavailable.length > 0) return 'service-unavailable'
  const isSound = !rules.some((rule) => /^(presentation|submission|response)\./.test(rule))
  const found = reasons.find(([, pattern]) => rules.some((rule) => pattern.test(rule)))
  return isSound && found ? found[0] : 'invalid-presentation'
}
