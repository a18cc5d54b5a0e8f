import { defineCheck } from '../../../kit/check.ts'
import type { WalletContext } from '../context.ts'
import { findOfferRefused } from '../findings/find-offer-refused.ts'

export const check = defineCheck<WalletContext>({
  id: 'W60',
  title: 'Metadata of eight megabytes is not read to its end',
  level: 'practice',
  expectation: 'advice',
  control: 'offers',
  description:
    'A QR code leads to any server. One that answers without end fills the memory of a wallet that reads on.',
  sends: 'An offer whose issuer answers good metadata with eight megabytes of padding.',
  decides: 'No token request until the verb ends, and the wallet says that it refuses.',
  async run(context) {
    const session = context.openIssuer({
      answers: {
        metadata: (usual) => ({
          ...usual,
          body: `${usual.body?.slice(0, -1)},"padding":"${'x'.repeat(8 * 1024 * 1024)}"}`,
        }),
      },
    })
    const answer = await context.wallet.acceptOffer({ link: session.offerByValue() })
    const { outcome, reason } = answer
    const toldAsFailure = outcome === 'failed' && /large|size|bytes|limit/i.test(reason)
    return findOfferRefused(session, toldAsFailure ? { ...answer, outcome: 'refused' } : answer, {
      why: 'the metadata is larger than any real one',
      after: 'metadata',
    })
  },
})
