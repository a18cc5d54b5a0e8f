import {
  broken,
  endCheck,
  type Finding,
  held,
  inconclusive,
  wronglyAccepted,
} from '../../../kit/check.ts'
import { findEach } from '../../../kit/find-each.ts'
import type { VerbAnswer } from '../../../targets/adapters/call-verb.ts'
import type { WalletContext } from '../context.ts'
import type {
  ReceivedPost,
  VerifierBehaviour,
  VerifierSession,
} from '../counterparts/verifier-session.ts'
import { adviceOn, asCase, casesFor, outageIn, undoneIn } from './issuance-findings.ts'

export interface ExpectedRequestRefusal {
  readonly behaviour?: VerifierBehaviour
  /** Why the request must be rejected: `its signature is invalid`. */
  readonly why: string
  /** By default client_id and the URL of the signed request. */
  readonly link?: (session: VerifierSession) => string
}

/**
 * Checks that a wallet with a credential rejects a request: that it did not post before its verb
 * ended, and that it reported a rejection.
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
  const silent = 'The wallet did not post'
  if (outcome === 'done') {
    return inconclusive(`${silent}, but reported that it presented.`, { verdictSource })
  }
  if (outcome !== 'refused') {
    const details = { verdictSource, ...outageIn(context, session, { answer }) }
    return inconclusive(`${silent} when ${why}; ${reason}${adviceOn(context, answer)}`, details)
  }
  if (link === undefined && session.requestsTo('request').length === 0) {
    const early = `The wallet rejected the request before it fetched it, so not because ${why}`
    return inconclusive(`${early}: ${reason}`, { verdictSource })
  }
  return held(`${silent} and reported: ${reason}`, { verdictSource })
}

/** Checks that a wallet with a credential rejects each of these requests. */
export const findRequestsRefused = (
  context: WalletContext,
  requests: readonly ExpectedRequestRefusal[],
): Promise<Finding> =>
  findEach(casesFor(context, requests), (request) => findRequestRefused(context, request))

export interface TakePresentationOptions {
  /** By default a fully conformant verifier. */
  readonly behaviour?: VerifierBehaviour
  /** By default client_id and the URL of the signed request, as recommended. */
  readonly link?: (session: VerifierSession) => string
}

export interface TakenPresentation {
  readonly session: VerifierSession
  readonly answer: VerbAnswer
  readonly post: ReceivedPost
}

/**
 * Has a wallet with a credential answer a valid request. Ends the check unless the kit received the
 * answer and the wallet reports success.
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
  // The state of the wallet is unknown, so the next check must not rely on it.
  if (outcome !== 'done') context.noteChanged()
  if (outcome === 'refused') {
    endCheck(broken(`The wallet rejected a valid request: ${reason}`, { verdictSource }))
  }
  if (outcome !== 'done') {
    const unknown = `Could not determine whether the wallet answers the request: ${reason}`
    endCheck(inconclusive(unknown, outageIn(context, session, { answer, isValid: true })))
  }
  if (post === undefined) {
    const reported = 'The wallet reported that it presented, but it did not post to response_uri.'
    endCheck(inconclusive(reported, { verdictSource, ...undoneIn(context, session) }))
  }
  context.proven.add('requests')
  return { session, answer, post }
}

/** A valid request of an unusual form. */
export interface UnusualRequest extends TakePresentationOptions {
  /** What is unusual, as text after `A request`. */
  readonly what: string
  /** What the presentation must be like; undefined if it is. */
  readonly problem?: (taken: TakenPresentation) => string | undefined
  /** What to change in a wallet that does not answer it, if that is not the fix of the check. */
  readonly fix?: string
}

/** Sends the wallet requests that it must answer, one after the other. */
export const findEachAnswered = (
  context: WalletContext,
  requests: readonly UnusualRequest[],
): Promise<Finding> =>
  findEach(casesFor(context, requests), ({ what, problem, fix, ...request }) =>
    asCase(
      `A request ${what}`,
      takePresentation(context, request).then((taken) => {
        const found = problem?.(taken)
        const verdictSource = 'post to response_uri'
        return found === undefined
          ? held('The wallet answered it.', { verdictSource })
          : broken(found, { verdictSource })
      }),
      fix,
    ),
  )

const byDefault = (session: VerifierSession) => session.requestByReference(session.party.did)
