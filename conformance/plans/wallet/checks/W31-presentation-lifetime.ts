import { broken, defineCheck, held, inconclusive } from '../../../kit/check.ts'
import type { WalletContext } from '../context.ts'
import { takePresentation } from '../findings/take-presentation.ts'

export const check = defineCheck<WalletContext>({
  id: 'W31',
  title: 'A presentation is valid for ten minutes at most',
  level: 'practice',
  expectation: 'advice',
  description:
    'A presentation that somebody got hold of can be tried for as long as it is valid; one login takes seconds.',
  sends: 'A signed request at request_uri of a verifier that is as good as can be.',
  decides: 'exp is at most 600 seconds after iat.',
  async run(context) {
    const { post } = await takePresentation(context)
    const { exp, iat } = post.payload
    const verdictSource = 'post to response_uri'
    if (typeof exp !== 'number' || typeof iat !== 'number') {
      return inconclusive('The presentation lacks exp or iat.', { verdictSource })
    }
    const told = `The presentation is valid for ${exp - iat} seconds.`
    return exp - iat <= 600 ? held(told, { verdictSource }) : broken(told, { verdictSource })
  },
})
