import { defineCheck, held } from '../../../kit/check.ts'
import type { WalletContext } from '../context.ts'
import { takePresentation } from '../findings/take-presentation.ts'

export const check = defineCheck<WalletContext>({
  id: 'W32',
  title: 'A request in the link itself is answered',
  level: 'spec',
  expectation: 'accept',
  control: 'requests',
  rows: [
    '1.resources-and-their-fields/presentation-authorization-request.8',
    '1.resources-and-their-fields/presentation-authorization-request.1',
    '1.resources-and-their-fields/presentation-authorization-request.2',
    '1.resources-and-their-fields/presentation-authorization-request.3',
  ],
  description: 'A request may come as URL-encoded parameters, with dcql_query as JSON.',
  sends:
    'A link openid4vp://?response_type=…&client_id=… with all parameters, whose client_id is the address of the verifier.',
  decides: 'The kit gets a presentation, and the wallet says that it gave it.',
  async run(context) {
    const { session, post } = await takePresentation(context, {
      link: (verifier) => verifier.requestByValue(),
    })
    return held(`The wallet answered the request of ${session.baseUrl}.`, {
      verdictSource: 'post to response_uri',
      actual: post.contentType,
    })
  },
})
