/** How a verb ended. Only `refused` is a refusal; the last three decide nothing. */
export type VerbOutcome = 'done' | 'refused' | 'failed' | 'timed-out' | 'overloaded'

/** What came of a verb. */
export interface VerbAnswer {
  readonly outcome: VerbOutcome
  /** What was seen, in a sentence, with what the system under test said of it. */
  readonly reason: string
  /** What it wrote or answered; cut where it is long. */
  readonly text: string
  /** Undefined where the text is no JSON. */
  readonly json: unknown
  /** Where that was seen: `exit code of accept-offer`. */
  readonly source: string
  /** The program was seen to crash, was killed, or did not start: what it did is no decision of its own. */
  readonly hasCrashed?: boolean
}
