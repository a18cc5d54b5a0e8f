import { broken, defineCheck, held, inconclusive } from '../../../kit/check.ts'
import { mandate } from '../../../world/create-trust-world.ts'
import { issueCredential } from '../../../world/issue-credential.ts'
import type { WalletContext } from '../context.ts'
import { takeCredential } from '../findings/take-credential.ts'
import { takePresentation } from '../findings/take-presentation.ts'

export const check = defineCheck<WalletContext>({
  id: 'W53',
  title: 'Only the credential that was asked for is presented',
  level: 'practice',
  expectation: 'advice',
  control: 'requests',
  description:
    "The holder agreed to show one mandate. Whatever else is in the wallet is nobody's business.",
  sends:
    'Two credentials, of which one has a claim of its own, the other being the latest; then a request for that claim.',
  decides: 'The presentation holds that one credential and no other.',
  async run(context) {
    await context.holdCredential()
    const { world } = context.trust
    const mandatee = { ...mandate.mandatee, badge: 'B-7' }
    const { credential } = await takeCredential(context, {
      behaviour: {
        credential: (order) =>
          issueCredential(world, { ...order, mandate: { ...mandate, mandatee } }),
      },
    })
    await takeCredential(context)
    const { post } = await takePresentation(context, {
      behaviour: {
        query: { claims: [{ path: ['$.vc.credentialSubject.mandate.mandatee.badge'] }] },
      },
    })
    const verdictSource = 'post to response_uri'
    const others = post.credentials.filter((each) => each !== credential)
    if (others.length > 0) {
      return broken('The wallet presented a credential that was not asked for.', { verdictSource })
    }
    return post.credentials.length > 0
      ? held('The wallet presented just the credential that was asked for.', { verdictSource })
      : inconclusive('The presentation holds no credential.', { verdictSource })
  },
})
