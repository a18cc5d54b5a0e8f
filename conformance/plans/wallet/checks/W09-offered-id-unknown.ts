import { defineCheck } from '../../../kit/check.ts'
import type { WalletContext } from '../context.ts'
import { findOfferRefused } from '../findings/find-offer-refused.ts'

export const check = defineCheck<WalletContext>({
  id: 'W09',
  title: 'An offered credential that the metadata does not have is not asked for',
  level: 'final',
  expectation: 'refuse',
  control: 'offers',
  clauses: ['OpenID4VCI 1.0, 4.1.1'],
  description:
    'The ids of the offer are names of entries in the metadata: without the entry there is no format and no type to ask for.',
  sends: 'An offer of NoSuchCredential, of which the metadata has no entry.',
  decides: 'No token request until the verb ends, and the wallet says that it refuses.',
  async run(context) {
    const session = context.openIssuer({ offer: { credentials: ['NoSuchCredential'] } })
    const answer = await context.wallet.acceptOffer({ link: session.offerByValue() })
    const why = 'the metadata does not have the offered credential'
    return findOfferRefused(session, answer, { why, after: 'metadata' })
  },
})
