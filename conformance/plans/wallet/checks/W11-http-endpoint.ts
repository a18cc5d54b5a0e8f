import { defineCheck } from '../../../kit/check.ts'
import type { WalletContext } from '../context.ts'
import { findOfferRefused } from '../findings/find-offer-refused.ts'

export const check = defineCheck<WalletContext>({
  id: 'W11',
  title: 'An issuer reached by https is not asked for a credential by http',
  level: 'final',
  expectation: 'refuse',
  control: 'offers',
  clauses: ['OpenID4VCI 1.0, 12.2.4'],
  description:
    'An access token and a proof sent by http can be read and used by everybody on the way.',
  sends: 'An offer of an issuer at https whose metadata names a credential_endpoint at http.',
  decides: 'No credential request until the verb ends, and the wallet says that it refuses.',
  needs: ['https'],
  async run(context) {
    const session = context.openIssuer({
      metadata: (issuer) => ({
        credential_endpoint: `${issuer.replace('https:', 'http:')}/credential`,
      }),
    })
    const answer = await context.wallet.acceptOffer({ link: session.offerByValue() })
    const why = 'its endpoint is at http'
    return findOfferRefused(session, answer, {
      why,
      after: 'metadata',
      withheld: 'credential',
    })
  },
})
