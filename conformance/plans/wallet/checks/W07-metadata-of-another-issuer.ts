import { defineCheck } from '../../../kit/check.ts'
import type { WalletContext } from '../context.ts'
import { findOfferRefused } from '../findings/find-offer-refused.ts'

export const check = defineCheck<WalletContext>({
  id: 'W07',
  title: 'Metadata that names another issuer is not used',
  level: 'final',
  expectation: 'refuse',
  control: 'offers',
  clauses: ['OpenID4VCI 1.0, 12.2.4'],
  description:
    'Otherwise metadata could be copied: the holder sees the name of one issuer and deals with another.',
  sends: 'An offer whose issuer answers metadata with the credential_issuer of somebody else.',
  decides: 'No token request until the verb ends, and the wallet says that it refuses.',
  async run(context) {
    const session = context.openIssuer({
      metadata: { credential_issuer: 'https://issuer.example' },
    })
    const answer = await context.wallet.acceptOffer({ link: session.offerByValue() })
    const why = 'the metadata is that of another issuer'
    return findOfferRefused(session, answer, { why, after: 'metadata' })
  },
})
