/** One broken rule that a verification of untrusted input found. */
export interface VerificationFailure {
  /** Stable name of the rule, for example `proof.nonce`. */
  readonly rule: string
  /** What is wrong, in a sentence for people. */
  readonly reason: string
  /** Where in the input, for example `header.kid`; empty for the whole. */
  readonly path: string
  /** What stood there, where showing it helps and it is no secret. */
  readonly got?: unknown
  /**
   * Set where the rule could not be checked rather than was broken: what it rests on gave no answer,
   * or there was nobody to ask. It never counts in favour; whoever judges decides what it is worth.
   */
  readonly unchecked?: 'unavailable' | 'not-asked'
}

/** What a verification returns: it never throws for what the other side sent. */
export type VerificationResult<Value extends object = object> =
  | ({ readonly ok: true } & Readonly<Value>)
  | { readonly ok: false; readonly failures: readonly VerificationFailure[] }
