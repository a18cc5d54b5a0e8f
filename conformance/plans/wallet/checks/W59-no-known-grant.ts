import { defineCheck } from '../../../kit/check.ts'
import type { WalletContext } from '../context.ts'
import { findOfferRefused } from '../findings/find-offer-refused.ts'

export const check = defineCheck<WalletContext>({
  id: 'W59',
  title: 'An offer without the pre-authorized code is not taken',
  level: 'practice',
  expectation: 'refuse',
  control: 'offers',
  description:
    'The documents have the pre-authorized code alone; a wallet that goes on without it sends requests that mean nothing.',
  sends: 'An offer whose only grant is an unknown one.',
  decides: 'No token request until the verb ends, and the wallet says that it refuses.',
  async run(context) {
    const session = context.openIssuer({
      offer: { grants: { 'urn:example:grant-type:unknown': { code: 'a-code' } } },
    })
    const answer = await context.wallet.acceptOffer({ link: session.offerByValue() })
    return findOfferRefused(session, answer, {
      why: 'the offer has no pre-authorized code',
    })
  },
})
