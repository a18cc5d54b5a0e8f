import { broken, defineCheck, held, inconclusive } from '../../../kit/check.ts'
import type { WalletContext } from '../context.ts'

export const check = defineCheck<WalletContext>({
  id: 'W28',
  title: 'Each credential request carries a new proof',
  level: 'practice',
  expectation: 'accept',
  description:
    'A proof that is sent twice is a proof that somebody may have copied; issuers refuse its used nonce.',
  sends:
    'A credential endpoint that refuses the first proof with invalid_nonce and a fresh c_nonce.',
  decides: 'The second proof is another one and carries the fresh c_nonce.',
  async run(context) {
    const session = context.openIssuer({ refusedNonces: 1 })
    const { reason } = await context.wallet.acceptOffer({ link: session.offerByValue() })
    const [first, second] = session.proofs
    if (!first || !second) {
      return inconclusive(`The wallet sent no second credential request: ${reason}`)
    }
    const verdictSource = 'second credential request'
    if (second.jwt === first.jwt) {
      return broken('The wallet sent the same proof again.', { verdictSource })
    }
    return second.payload.nonce === second.expectedNonce
      ? held('The second proof is a new one with the fresh c_nonce.', { verdictSource })
      : broken('The second proof does not carry the fresh c_nonce.', {
          verdictSource,
          expected: second.expectedNonce,
          actual: second.payload.nonce,
        })
  },
})
