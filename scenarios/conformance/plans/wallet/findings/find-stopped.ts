import type { VerbAnswer } from '../../../adapters/verb-answer.ts'
import { broken, type Finding, held, inconclusive } from '../../../finding.ts'

/** What a wallet did that had to give up by itself and to say so; `after` says after what. */
export function findStopped(
  { outcome, reason, source: verdictSource }: VerbAnswer,
  after: string,
): Finding {
  if (outcome === 'done') {
    return broken(`The wallet said ${after} that it was done.`, { verdictSource })
  }
  if (outcome === 'timed-out') {
    return broken(`The wallet had not stopped ${after}: ${reason}`, { verdictSource })
  }
  if (outcome === 'overloaded') return inconclusive(reason, { verdictSource })
  return held(`The wallet stopped ${after}: ${reason}`, { verdictSource })
}
