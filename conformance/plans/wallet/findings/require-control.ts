import { asPremise } from '../../../kit/as-premise.ts'
import type { WalletContext } from '../context.ts'
import { takeCredential } from './take-credential.ts'
import { takePresentation } from './take-presentation.ts'

/**
 * Goes on only where the wallet takes an offer that is as good as can be: who refuses everybody has
 * refused nothing in particular. Shown once for all checks of a run.
 */
export async function requireOffersTaken(context: WalletContext): Promise<void> {
  if (context.proven.has('offers')) return
  context.trust.settle()
  await asPremise('taking a good offer', takeCredential(context))
}

/** The same of requests. */
export async function requireRequestsAnswered(context: WalletContext): Promise<void> {
  if (context.proven.has('requests')) return
  context.trust.settle()
  await asPremise('answering a good request', takePresentation(context))
}
