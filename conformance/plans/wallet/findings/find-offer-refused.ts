import { type Finding, held, inconclusive, wronglyAccepted } from '../../../kit/check.ts'
import type { VerbAnswer } from '../../../targets/adapters/call-verb.ts'
import type { IssuerEndpoint } from '../counterparts/issuer-behaviour.ts'
import type { IssuerSession } from '../counterparts/issuer-session.ts'

export interface ExpectedOfferRefusal {
  /** Why it has to be refused: `the metadata is that of another issuer`. */
  readonly why: string
  /** What the wallet has to have asked for before its refusal can be about that. */
  readonly after?: IssuerEndpoint
  /** What it must not send; by default a token request. */
  readonly withheld?: 'token' | 'credential'
}

const names = { token: 'token request', credential: 'credential request' } as const

/**
 * What a wallet did about an offer that it must not take: it is seen in what it did not send until
 * its verb ended, and in what it said then.
 */
export function findOfferRefused(
  session: IssuerSession,
  { outcome, reason, source: verdictSource }: VerbAnswer,
  { why, after, withheld = 'token' }: ExpectedOfferRefusal,
): Finding {
  const sent = session.requestsTo(withheld).length
  if (sent > 0) {
    return wronglyAccepted(`The wallet sent a ${names[withheld]} although ${why}.`, {
      verdictSource: `requests to the ${withheld} endpoint`,
      expected: 0,
      actual: sent,
    })
  }
  const silent = `The wallet sent no ${names[withheld]}`
  if (outcome === 'done') {
    return inconclusive(`${silent}, but said that it had accepted the offer.`, { verdictSource })
  }
  if (outcome !== 'refused') return inconclusive(`${silent}; ${reason}`, { verdictSource })
  if (after !== undefined && session.requestsTo(after).length === 0) {
    const told = `The wallet refused before it asked for the ${after}, so not since ${why}`
    return inconclusive(`${told}: ${reason}`, { verdictSource })
  }
  return held(`${silent} and said: ${reason}`, { verdictSource })
}
