import { defineCheck, held } from '../../../kit/check.ts'
import type { WalletContext } from '../context.ts'
import { takePresentation } from '../findings/take-presentation.ts'

export const check = defineCheck<WalletContext>({
  id: 'W48',
  title: 'An empty answer to the presentation is a good one',
  level: 'spec',
  expectation: 'accept',
  control: 'requests',
  rows: ['1.endpoints/endpoint-a-verifier-exposes-to-the-wallet.2'],
  description:
    'The body may be empty; a wallet that wants JSON there tells its holder of an error after a login that worked.',
  sends: 'A verifier that answers the post with 200 and no body.',
  decides: 'The wallet says that it presented.',
  async run(context) {
    const { answer } = await takePresentation(context, { behaviour: { redirects: false } })
    return held('The wallet took the empty answer for what it is.', {
      verdictSource: answer.source,
    })
  },
})
