import { endCheck, endedWith, inconclusive } from '../../../finding.ts'
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
  await asControl(takeCredential(context))
}

/** The same of requests. */
export async function requireRequestsAnswered(context: WalletContext): Promise<void> {
  if (context.proven.has('requests')) return
  context.trust.settle()
  await asControl(takePresentation(context))
}

/** Waits for something that a check rests on without being about it: where it fails, nothing is decided. */
export async function asControl<Result>(work: Promise<Result>): Promise<Result> {
  try {
    return await work
  } catch (error) {
    const finding = endedWith(error)
    if (finding === undefined) throw error
    endCheck(inconclusive(`What this rests on was not reached. ${finding.reason}`))
  }
}
