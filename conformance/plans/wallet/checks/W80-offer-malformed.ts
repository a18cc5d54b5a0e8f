import type { Finding } from '../../../kit/check.ts'
import { defineCheck } from '../../../kit/check.ts'
import type { WalletContext } from '../context.ts'
import { findOfferRefused } from '../findings/find-offer-refused.ts'
import { firstNotHeld } from '../findings/first-not-held.ts'

export const check = defineCheck<WalletContext>({
  id: 'W80',
  title: 'An offer that is none is not taken',
  level: 'practice',
  expectation: 'refuse',
  control: 'offers',
  description:
    'Whatever stands in a QR code gets into the wallet; what is no offer has to end there, and not in a crash.',
  sends:
    'Three links: an offer without credential_issuer, one with no credentials, and one that is no JSON.',
  decides: 'No token request until the verb ends, and the wallet says that it refuses.',
  async run(context) {
    const findings: Finding[] = []
    for (const [name, offer] of Object.entries(offers)) {
      const session = context.openIssuer({ offer })
      const answer = await context.wallet.acceptOffer({ link: session.offerByValue() })
      findings.push(findOfferRefused(session, answer, { why: `the offer ${name}` }))
    }
    const session = context.openIssuer()
    const link = session.offerByValue().slice(0, -3)
    const answer = await context.wallet.acceptOffer({ link })
    findings.push(findOfferRefused(session, answer, { why: 'the offer is no JSON' }))
    return firstNotHeld(findings)
  },
})

const offers = {
  'names no issuer': { credential_issuer: undefined },
  'offers nothing': { credentials: [] },
}
