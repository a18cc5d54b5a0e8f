import type { VerbAnswer } from '../adapters/verb-answer.ts'
import { accepted, refused, undecided, type VerdictSource } from './verdict-source.ts'

/**
 * What came of a verb: an exit code, the status of a call, or what a person told. It is waited for
 * to its own time limit.
 */
export function verbOutcome(name: string, call: () => Promise<VerbAnswer>): VerdictSource {
  return {
    name,
    async observe() {
      const { outcome, reason, source } = await call()
      if (outcome === 'done') return accepted(source, reason)
      return outcome === 'refused' ? refused(source, reason) : undecided(source, reason)
    },
  }
}
