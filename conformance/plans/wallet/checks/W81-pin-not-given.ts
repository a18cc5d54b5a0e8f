import { defineCheck } from '../../../kit/check.ts'
import type { WalletContext } from '../context.ts'
import { findOfferRefused } from '../findings/find-offer-refused.ts'

export const check = defineCheck<WalletContext>({
  id: 'W81',
  title: 'Without the PIN no code is sent',
  level: 'spec',
  expectation: 'refuse',
  control: 'offers',
  rows: ['1.endpoints/endpoints-an-issuer-exposes-to-the-wallet.5'],
  description:
    'tx_code is required where the offer asks for it. A try without it may use up the code.',
  sends: 'An offer with tx_code, and no PIN to the wallet.',
  decides: 'No token request until the verb ends, and the wallet says that it refuses.',
  async run(context) {
    const session = context.openIssuer({ pin: '4935' })
    const answer = await context.wallet.acceptOffer({ link: session.offerByValue() })
    return findOfferRefused(session, answer, {
      why: 'it asks for a PIN and nobody gave one',
    })
  },
})
