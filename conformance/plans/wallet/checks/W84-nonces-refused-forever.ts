import { broken, defineCheck, inconclusive } from '../../../kit/check.ts'
import type { WalletContext } from '../context.ts'
import { findStopped } from '../findings/find-stopped.ts'

export const check = defineCheck<WalletContext>({
  id: 'W84',
  title: 'A wallet whose nonces are always refused gives up',
  level: 'practice',
  expectation: 'advice',
  description:
    'An issuer whose nonces never fit, by a clock or a cache, is flooded by a wallet that always tries again.',
  sends: 'A credential endpoint that refuses every proof with invalid_nonce and a fresh c_nonce.',
  decides: 'At most five credential requests; the wallet does not say that it was done.',
  async run(context) {
    const session = context.openIssuer({
      refusedNonces: Number.POSITIVE_INFINITY,
      answers: { credential: (usual, nth) => (nth > 50 ? { status: 429 } : usual) },
    })
    const answer = await context.wallet.acceptOffer({ link: session.offerByValue() })
    const requests = session.requestsTo('credential').length
    const { reason, source: verdictSource } = answer
    if (requests === 0) {
      return inconclusive(`The wallet sent no credential request: ${reason}`, { verdictSource })
    }
    if (requests > 5) {
      return broken(`The wallet sent ${requests} credential requests in a row.`, {
        verdictSource: 'credential requests',
        expected: 5,
        actual: requests,
      })
    }
    return findStopped(answer, `after ${requests} refused proofs`)
  },
})
