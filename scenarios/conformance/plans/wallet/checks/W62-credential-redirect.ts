import { defineCheck } from '../../../define-check.ts'
import { broken, held, inconclusive } from '../../../finding.ts'
import type { WalletContext } from '../context.ts'

export const check = defineCheck<WalletContext>({
  id: 'W62',
  title: 'A redirect of the credential endpoint is not followed',
  level: 'practice',
  expectation: 'refuse',
  description: 'A redirect hands the access token and the proof to whoever the answer names.',
  sends: 'A credential endpoint that answers 307 with another address.',
  decides: 'Nothing arrives at the other address.',
  async run(context) {
    const session = context.openIssuer({
      answers: { credential: () => ({ status: 307, headers: { location: 'elsewhere' } }) },
    })
    const answer = await context.wallet.acceptOffer({ link: session.offerByValue() })
    const { outcome, reason, source: verdictSource } = answer
    if (session.requestsTo('credential').length === 0) {
      return inconclusive(`The wallet never asked the credential endpoint: ${reason}`, {
        verdictSource,
      })
    }
    const followed = session.requestsTo('elsewhere')
    if (followed.length > 0) {
      return broken('The wallet followed the redirect.', {
        verdictSource: 'requests to the other address',
        actual: followed.map(({ method, path }) => `${method} ${path}`),
      })
    }
    if (outcome === 'done') {
      return broken('The wallet said that it had the credential.', { verdictSource })
    }
    return outcome === 'refused'
      ? held(`The wallet stopped there and said: ${reason}`, { verdictSource })
      : inconclusive(`The wallet did not follow the redirect; ${reason}`, { verdictSource })
  },
})
