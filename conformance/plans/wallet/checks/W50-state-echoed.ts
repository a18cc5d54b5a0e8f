import { broken, defineCheck, held } from '../../../kit/check.ts'
import type { WalletContext } from '../context.ts'
import { takePresentation } from '../findings/take-presentation.ts'

export const check = defineCheck<WalletContext>({
  id: 'W50',
  title: 'state comes back with the presentation',
  level: 'final',
  expectation: 'accept',
  clauses: ['RFC 6749, 4.1.2', 'OpenID4VP 1.0, 8.2'],
  description: 'By state the verifier finds the session that the answer belongs to.',
  sends: 'A signed request at request_uri with state.',
  decides: 'The form that is posted carries the same state.',
  async run(context) {
    const { session, post } = await takePresentation(context)
    const state = post.form.get('state')
    const verdictSource = 'post to response_uri'
    return state === session.state
      ? held('The wallet echoed state.', { verdictSource })
      : broken('The post does not carry the state of the request.', {
          verdictSource,
          expected: session.state,
          actual: state,
        })
  },
})
