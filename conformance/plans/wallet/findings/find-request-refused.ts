import { type Finding, held, inconclusive, wronglyAccepted } from '../../../kit/check.ts'
import type { WalletContext } from '../context.ts'
import type { VerifierBehaviour } from '../counterparts/verifier-behaviour.ts'
import type { VerifierSession } from '../counterparts/verifier-session.ts'

export interface ExpectedRequestRefusal {
  readonly behaviour?: VerifierBehaviour
  /** Why it must not be answered: `its signature does not verify`. */
  readonly why: string
  /** By default client_id and the address of the signed request. */
  readonly link?: (session: VerifierSession) => string
}

/**
 * Has the wallet, which holds a credential then, meet a request that it must not answer: that is seen
 * in what was not posted until its verb ended, and in what it said then.
 */
export async function findRequestRefused(
  context: WalletContext,
  { behaviour = {}, why, link }: ExpectedRequestRefusal,
): Promise<Finding> {
  await context.holdCredential()
  const session = context.openVerifier(behaviour)
  const answer = await context.wallet.present({
    link: link?.(session) ?? session.requestByReference(session.party.did),
  })
  const { outcome, reason, source: verdictSource } = answer
  const posts = session.posts.length
  if (posts > 0) {
    return wronglyAccepted(`The wallet presented a credential although ${why}.`, {
      verdictSource: 'posts to response_uri',
      expected: 0,
      actual: posts,
    })
  }
  const silent = 'The wallet posted nothing'
  if (outcome === 'done') {
    return inconclusive(`${silent}, but said that it had presented.`, { verdictSource })
  }
  if (outcome !== 'refused') return inconclusive(`${silent}; ${reason}`, { verdictSource })
  if (link === undefined && session.requestsTo('request').length === 0) {
    const told = `The wallet refused before it fetched the request, so not since ${why}`
    return inconclusive(`${told}: ${reason}`, { verdictSource })
  }
  return held(`${silent} and said: ${reason}`, { verdictSource })
}
