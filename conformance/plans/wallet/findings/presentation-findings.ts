import {
  broken,
  endCheck,
  type Finding,
  held,
  inconclusive,
  wronglyAccepted,
} from '../../../kit/check.ts'
import type { VerbAnswer } from '../../../targets/adapters/call-verb.ts'
import type { WalletContext } from '../context.ts'
import type {
  ReceivedPost,
  VerifierBehaviour,
  VerifierSession,
} from '../counterparts/verifier-session.ts'

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

export interface TakePresentationOptions {
  /** By default the verifier is as good as can be. */
  readonly behaviour?: VerifierBehaviour
  /** By default client_id and the address of the signed request, as recommended. */
  readonly link?: (session: VerifierSession) => string
}

export interface TakenPresentation {
  readonly session: VerifierSession
  readonly answer: VerbAnswer
  readonly post: ReceivedPost
}

/**
 * Has the wallet, which holds a credential then, answer a request that it has to answer, and goes on
 * only where the kit got the answer and the wallet says that it gave it.
 */
export async function takePresentation(
  context: WalletContext,
  { behaviour = {}, link }: TakePresentationOptions = {},
): Promise<TakenPresentation> {
  await context.holdCredential()
  const session = context.openVerifier(behaviour)
  const answer = await context.wallet.present({ link: (link ?? byDefault)(session) })
  const [post] = session.posts
  const { outcome, reason, source: verdictSource } = answer
  // Whatever it is that the wallet holds, the next check does not rest on it.
  if (outcome !== 'done') context.noteChanged()
  if (outcome === 'refused') {
    endCheck(broken(`The wallet refused a request that is good: ${reason}`, { verdictSource }))
  }
  if (outcome !== 'done') {
    endCheck(inconclusive(`Whether the wallet answers the request can't be told: ${reason}`))
  }
  if (post === undefined) {
    const told = 'The wallet said that it had presented, but nothing was posted to response_uri.'
    endCheck(inconclusive(told, { verdictSource }))
  }
  context.proven.add('requests')
  return { session, answer, post }
}

const byDefault = (session: VerifierSession) => session.requestByReference(session.party.did)
