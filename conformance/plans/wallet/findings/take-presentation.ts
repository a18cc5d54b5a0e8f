import { broken, endCheck, inconclusive } from '../../../kit/check.ts'
import type { VerbAnswer } from '../../../targets/adapters/call-verb.ts'
import type { WalletContext } from '../context.ts'
import type { ReceivedPost } from '../counterparts/read-post.ts'
import type { VerifierBehaviour } from '../counterparts/verifier-behaviour.ts'
import type { VerifierSession } from '../counterparts/verifier-session.ts'

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
