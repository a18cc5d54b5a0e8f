import { defineCheck, inconclusive } from '../../../kit/check.ts'
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
    'The verb ends by itself within deferralPatienceSeconds of the target, and does not say that it was done.',
  needs: ['deferral-patience'],
  async run(context) {
    const { deferralPatienceSeconds: patience = 0 } = context
    const session = context.openIssuer({ deferredPolls: Number.POSITIVE_INFINITY })
    const began = performance.now()
    const answer = await context.wallet.acceptOffer({ link: session.offerByValue() })
    const waited = (performance.now() - began) / 1000
    const { outcome, reason, source: verdictSource } = answer
    const polls = session.requestsTo('deferred').length
    if (polls === 0) return inconclusive(`The wallet never polled: ${reason}`, { verdictSource })
    if (outcome === 'timed-out' && waited < patience) {
      const told = `The kit waited ${waited.toFixed(0)} of the ${patience} seconds that the wallet may take`
      return inconclusive(`${told}; give the adapter a longer timeoutSeconds.`, { verdictSource })
    }
    return findStopped(answer, `after ${polls} polls that were answered 202`)
  },
})
