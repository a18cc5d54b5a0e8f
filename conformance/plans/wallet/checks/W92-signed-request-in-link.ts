import { defineCheck, held } from '../../../kit/check.ts'
import type { WalletContext } from '../context.ts'
import { takePresentation } from '../findings/take-presentation.ts'

export const check = defineCheck<WalletContext>({
  id: 'W92',
  title: 'A signed request in the link itself is answered',
  level: 'final',
  expectation: 'accept',
  control: 'requests',
  rows: ['1.resources-and-their-fields/presentation-authorization-request.9'],
  clauses: ['RFC 9101, 5.1', 'OpenID4VP 1.0, 5'],
  description:
    'The request may be a signed JWT; small ones stand in the link. The documents show the link without the parameter request, which RFC 9101 has for that.',
  sends: 'A link openid4vp://?client_id=…&request=… with the signed JWT.',
  decides: 'The kit gets a presentation, and the wallet says that it gave it.',
  async run(context) {
    const { answer } = await takePresentation(context, {
      link: (verifier) => verifier.requestInLink(),
    })
    return held('The wallet answered the signed request in the link.', {
      verdictSource: answer.source,
    })
  },
})
