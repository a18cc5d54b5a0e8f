import { broken, defineCheck, held, inconclusive } from '../../../kit/check.ts'
import type { WalletContext } from '../context.ts'
import { takePresentation } from '../findings/take-presentation.ts'

export const check = defineCheck<WalletContext>({
  id: 'W47',
  title: 'The redirect_uri of the answer leads the holder on',
  level: 'spec',
  expectation: 'accept',
  rows: ['1.endpoints/endpoint-a-verifier-exposes-to-the-wallet.2'],
  description:
    'With it the login goes on in the browser. A wallet that drops it leaves the holder in front of nothing.',
  sends: 'A verifier that answers the post with {redirect_uri}.',
  decides: 'The wallet opens redirect_uri, or tells it in its answer.',
  async run(context) {
    const { session, answer } = await takePresentation(context)
    const verdictSource = answer.source
    if (session.requestsTo('continue').length > 0) {
      return held('The wallet opened redirect_uri.', { verdictSource: 'requests to redirect_uri' })
    }
    const { reason, text } = answer
    if (`${reason} ${text}`.includes(session.redirectUri)) {
      return held('The wallet told where the holder goes on.', { verdictSource })
    }
    return text.trim() === ''
      ? inconclusive('The wallet did not open redirect_uri, and its answer says nothing.')
      : broken('The wallet neither opened nor told redirect_uri.', {
          verdictSource,
          expected: session.redirectUri,
          actual: text.slice(0, 300),
        })
  },
})
