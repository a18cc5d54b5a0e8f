import { broken, defineCheck, held } from '../../../kit/check.ts'
import type { WalletContext } from '../context.ts'
import { takeCredential } from '../findings/take-credential.ts'
import { takePresentation } from '../findings/take-presentation.ts'

export const check = defineCheck<WalletContext>({
  id: 'W45',
  title: 'Of two credentials that match one is presented',
  level: 'final',
  expectation: 'accept',
  clauses: ['OpenID4VP 1.0, 6.1', 'OpenID4VP 1.0, 8.1'],
  description:
    'A query without multiple asks for one credential. A wallet that sends all discloses mandates that nobody asked for; one that sends none locks its holder out.',
  sends: 'Two good credentials of one type, then a signed request at request_uri for that type.',
  decides: 'The presentation holds one credential.',
  async run(context) {
    await context.holdCredential()
    await takeCredential(context)
    const { post } = await takePresentation(context)
    const { length } = post.credentials
    const verdictSource = 'post to response_uri'
    return length === 1
      ? held('The wallet presented one of the credentials.', { verdictSource })
      : broken(`The presentation holds ${length} credentials, where one was asked for.`, {
          verdictSource,
          expected: 1,
          actual: length,
        })
  },
})
