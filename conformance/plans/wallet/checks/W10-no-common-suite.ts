import { defineCheck } from '../../../kit/check.ts'
import type { WalletContext } from '../context.ts'
import { findOfferRefused } from '../findings/find-offer-refused.ts'

export const check = defineCheck<WalletContext>({
  id: 'W10',
  title: 'An offer whose suites the wallet does not have is not taken',
  level: 'final',
  expectation: 'refuse',
  control: 'offers',
  clauses: ['OpenID4VCI 1.0, 12.2.4'],
  description:
    'Issuers declare the suites that they accept. A proof in another one is refused at best, after the code is used up.',
  sends: 'An offer whose metadata declares cryptographic_suites_supported [ES512] alone.',
  decides: 'No token request until the verb ends, and the wallet says that it refuses.',
  async run(context) {
    const session = context.openIssuer({
      entry: { cryptographic_suites_supported: ['ES512'] },
    })
    const answer = await context.wallet.acceptOffer({ link: session.offerByValue() })
    const why = 'the issuer accepts none of the suites of the documents'
    return findOfferRefused(session, answer, { why, after: 'metadata' })
  },
})
