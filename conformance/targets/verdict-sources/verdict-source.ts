/** What was observed of the system under test at one place. */
export interface Observation {
  /** `undecided`: nothing that shows either. */
  readonly verdict: 'accepted' | 'refused' | 'undecided'
  /** What was seen, in a sentence. */
  readonly reason: string
  /** Where: `status poll: $.status = FAILED`, `exit code of present`. */
  readonly source: string
  /** Places that decide said the opposite of each other; nothing else settles that. */
  readonly isContradiction?: boolean
}

/**
 * A place where a verdict may show. `observe` resolves with what it saw, at the latest when the
 * signal ends, and then with a last look where that is possible; it never rejects.
 */
export interface VerdictSource {
  readonly name: string
  /** It counts only where no other decides: silence. */
  readonly isWeak?: boolean
  observe(signal: AbortSignal): Promise<Observation>
}

export const accepted = (source: string, reason: string): Observation => ({
  verdict: 'accepted',
  source,
  reason,
})

export const refused = (source: string, reason: string): Observation => ({
  verdict: 'refused',
  source,
  reason,
})

export const undecided = (source: string, reason: string): Observation => ({
  verdict: 'undecided',
  source,
  reason,
})
