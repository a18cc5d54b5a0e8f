import { defineCheck, inconclusive } from '../../../kit/check.ts'
import type { WalletContext } from '../context.ts'
import { findStopped } from '../findings/find-stopped.ts'

export const check = defineCheck<WalletContext>({
  id: 'W83',
  title: 'That the issuer failed is told, and not taken for a credential',
  level: 'practice',
  expectation: 'advice',
  description:
    'The holder has to know that nothing came, or looks for a mandate that is not there.',
  sends: 'A credential endpoint that answers 500.',
  decides: 'The verb ends by itself and does not say that it was done.',
  async run(context) {
    const session = context.openIssuer({
      answers: { credential: () => ({ status: 500, body: '{"error":"internal_error"}' }) },
    })
    const answer = await context.wallet.acceptOffer({ link: session.offerByValue() })
    const requests = session.requestsTo('credential').length
    const { reason, source: verdictSource } = answer
    if (requests === 0) {
      return inconclusive(`The wallet sent no credential request: ${reason}`, { verdictSource })
    }
    return findStopped(answer, `after ${requests} credential requests that were answered 500`)
  },
})
