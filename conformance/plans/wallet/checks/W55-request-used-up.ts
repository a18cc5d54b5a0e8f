import { broken, defineCheck, held, inconclusive } from '../../../kit/check.ts'
import type { WalletContext } from '../context.ts'
import { takePresentation } from '../findings/take-presentation.ts'

export const check = defineCheck<WalletContext>({
  id: 'W55',
  title: 'A request that is used up is not answered from memory',
  level: 'practice',
  expectation: 'refuse',
  control: 'requests',
  description:
    'A verifier gives a request out once. A wallet that answers the copy it kept presents to a session that is over.',
  sends: 'A link that was answered, a second time; its request_uri answers 404 by then.',
  decides: 'Nothing is posted the second time, and the wallet says that it refuses.',
  async run(context) {
    const { session } = await takePresentation(context, {
      behaviour: {
        answers: { request: (usual, nth) => (nth === 1 ? usual : { status: 404, body: '{}' }) },
      },
    })
    const {
      outcome,
      reason,
      source: verdictSource,
    } = await context.wallet.present({
      link: session.requestByReference(session.party.did),
    })
    if (session.posts.length > 1) {
      return broken('The wallet answered a request that it had answered before.', {
        verdictSource: 'posts to response_uri',
      })
    }
    return outcome === 'refused'
      ? held(`The wallet posted nothing more and said: ${reason}`, { verdictSource })
      : inconclusive(`The wallet posted nothing more; ${reason}`, { verdictSource })
  },
})
