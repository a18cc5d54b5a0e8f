import { broken, defineCheck, inconclusive } from '../../../kit/check.ts'
import type { WalletContext } from '../context.ts'
import { findStopped } from '../findings/find-stopped.ts'

export const check = defineCheck<WalletContext>({
  id: 'W49',
  title: 'That the verifier failed is reported, and not tried for ever',
  level: 'practice',
  expectation: 'advice',
  description:
    'A wallet that says nothing leaves the holder waiting; one that tries without end floods a verifier that is down.',
  sends: 'A verifier that answers every post with 500.',
  decides: 'The verb ends by itself after at most five posts, and does not say that it was done.',
  async run(context) {
    await context.holdCredential()
    const session = context.openVerifier({ answers: { response: () => ({ status: 500 }) } })
    const answer = await context.wallet.present({
      link: session.requestByReference(session.party.did),
    })
    const posts = session.posts.length
    const { reason, source: verdictSource } = answer
    if (posts === 0) return inconclusive(`The wallet posted nothing: ${reason}`, { verdictSource })
    if (posts > 5)
      return broken(`The wallet posted ${posts} times.`, { expected: 5, actual: posts })
    return findStopped(answer, `after ${posts} posts that were answered 500`)
  },
})
