import { defineCheck } from '../../../define-check.ts'
import { inconclusive } from '../../../finding.ts'
import type { WalletContext } from '../context.ts'
import { findStopped } from '../findings/find-stopped.ts'

export const check = defineCheck<WalletContext>({
  id: 'W16',
  title: 'A wallet stops waiting for a credential that never comes',
  level: 'practice',
  expectation: 'advice',
  description:
    'A wallet that polls without end empties a battery, and its holder never hears that nothing will come.',
  sends: 'A credential endpoint that defers, and polls that are answered 202 whenever they come.',
  decides:
    'The verb ends by itself within the time that the target gives it, and does not say that it was done.',
  async run(context) {
    const session = context.openIssuer({ deferredPolls: Number.POSITIVE_INFINITY })
    const answer = await context.wallet.acceptOffer({ link: session.offerByValue() })
    const { reason, source: verdictSource } = answer
    const polls = session.requestsTo('deferred').length
    if (polls === 0) return inconclusive(`The wallet never polled: ${reason}`, { verdictSource })
    return findStopped(answer, `after ${polls} polls that were answered 202`)
  },
})
