import { endCheck, inconclusive } from '../../../kit/check.ts'
import type { WalletContext } from '../context.ts'
import type { IssuerBehaviour, IssuerEndpoint } from '../counterparts/issuer-behaviour.ts'
import type { IssuerRequest, IssuerSession } from '../counterparts/issuer-session.ts'

export interface ObservedIssuance {
  readonly session: IssuerSession
  /** The first request to the endpoint that is looked at. */
  readonly request: IssuerRequest
}

/**
 * Offers the wallet a credential to see what it sends, and goes on where that endpoint was asked,
 * whatever the wallet did with what it got.
 */
export async function observeIssuance(
  context: WalletContext,
  endpoint: IssuerEndpoint,
  behaviour: IssuerBehaviour = {},
): Promise<ObservedIssuance> {
  const session = context.openIssuer(behaviour)
  const { outcome, reason } = await context.wallet.acceptOffer({ link: session.offerByValue() })
  const credential = session.delivered.at(-1)
  if (outcome === 'done' && credential !== undefined) context.noteHeld(credential)
  else context.noteChanged()
  const [request] = session.requestsTo(endpoint)
  if (request) return { session, request }
  endCheck(inconclusive(`The wallet never asked the ${endpoint} endpoint: ${reason}`))
}
