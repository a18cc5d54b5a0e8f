import { broken, defineCheck, held } from '../../../kit/check.ts'
import type { WalletContext } from '../context.ts'
import { takePresentation } from '../findings/take-presentation.ts'

export const check = defineCheck<WalletContext>({
  id: 'W33',
  title: 'A request at request_uri is fetched and answered',
  level: 'spec',
  expectation: 'accept',
  control: 'requests',
  rows: [
    '1.resources-and-their-fields/presentation-authorization-request.8',
    '1.resources-and-their-fields/presentation-authorization-request.9',
  ],
  description:
    'This is the recommended way: the QR code is small, and the verifier makes the request when it is fetched.',
  sends: 'A link openid4vp://?request_uri=… whose address answers the request as a signed JWT.',
  decides: 'The wallet fetches the request, and the kit gets a presentation.',
  async run(context) {
    const { session } = await takePresentation(context, {
      link: (verifier) => verifier.requestByReference(),
    })
    const fetched = session.requestsTo('request').length
    return fetched > 0
      ? held('The wallet fetched the request and answered it.', { verdictSource: 'request_uri' })
      : broken('The wallet answered without having fetched the request.', {
          verdictSource: 'request_uri',
        })
  },
})
