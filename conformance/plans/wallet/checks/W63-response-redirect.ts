import { broken, defineCheck, held, inconclusive } from '../../../kit/check.ts'
import type { WalletContext } from '../context.ts'

export const check = defineCheck<WalletContext>({
  id: 'W63',
  title: 'A redirect of the response_uri is not followed',
  level: 'practice',
  expectation: 'refuse',
  description: 'A redirect hands the presentation to whoever the answer names.',
  sends: 'A response_uri that answers 307 with another address.',
  decides: 'Nothing arrives at the other address.',
  async run(context) {
    await context.holdCredential()
    const session = context.openVerifier({
      answers: { response: () => ({ status: 307, headers: { location: 'elsewhere' } }) },
    })
    const {
      outcome,
      reason,
      source: verdictSource,
    } = await context.wallet.present({
      link: session.requestByReference(session.party.did),
    })
    if (session.posts.length === 0) {
      return inconclusive(`The wallet posted nothing: ${reason}`, { verdictSource })
    }
    const followed = session.requestsTo('elsewhere').length
    if (followed > 0) {
      return broken('The wallet posted the presentation to where the redirect led.', {
        verdictSource: 'requests to the other address',
      })
    }
    return outcome === 'refused' || outcome === 'done'
      ? held(`The wallet did not follow the redirect: ${reason}`, { verdictSource })
      : inconclusive(`The wallet did not follow the redirect; ${reason}`, { verdictSource })
  },
})
