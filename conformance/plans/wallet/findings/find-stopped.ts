import { broken, type Finding, held, inconclusive } from '../../../kit/check.ts'
import type { VerbAnswer } from '../../../targets/adapters/call-verb.ts'

/**
 * What a wallet did that had to give up by itself and to say so; `after` says after what. That it
 * failed says so too, as somebody else had failed before; a crash says nothing.
 */
export function findStopped(
  { outcome, reason, source: verdictSource, hasCrashed }: VerbAnswer,
  after: string,
): Finding {
  if (outcome === 'done') {
    return broken(`The wallet said ${after} that it was done.`, { verdictSource })
  }
  if (outcome === 'timed-out') {
    return broken(`The wallet had not stopped ${after}: ${reason}`, { verdictSource })
  }
  if (outcome === 'overloaded' || hasCrashed) return inconclusive(reason, { verdictSource })
  return held(`The wallet stopped ${after}: ${reason}`, { verdictSource })
}
