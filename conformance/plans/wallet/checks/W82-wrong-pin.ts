import { broken, defineCheck, inconclusive } from '../../../kit/check.ts'
import type { WalletContext } from '../context.ts'
import { findStopped } from '../findings/find-stopped.ts'

export const check = defineCheck<WalletContext>({
  id: 'W82',
  title: 'A refused PIN is told, and not tried for ever',
  level: 'practice',
  expectation: 'advice',
  description:
    'Issuers end an offer after some wrong PINs. A wallet that repeats the refused one uses the tries up.',
  sends: 'A token endpoint that answers every PIN with invalid_grant.',
  decides: 'At most three token requests; the wallet does not say that it was done.',
  async run(context) {
    const session = context.openIssuer({
      pin: '4935',
      answers: {
        token: () => ({
          status: 400,
          body: JSON.stringify({ error: 'invalid_grant', error_description: 'The PIN is wrong.' }),
        }),
      },
    })
    const answer = await context.wallet.acceptOffer({ link: session.offerByValue(), pin: '4935' })
    const tries = session.requestsTo('token').length
    const { reason, source: verdictSource } = answer
    if (tries === 0) {
      return inconclusive(`The wallet sent no token request: ${reason}`, { verdictSource })
    }
    if (tries > 3) {
      return broken(`The wallet sent the refused PIN ${tries} times.`, {
        verdictSource: 'token requests',
        expected: 3,
        actual: tries,
      })
    }
    return findStopped(answer, `after ${tries} refused token requests`)
  },
})
