import { defineCheck, held } from '../../../kit/check.ts'
import type { WalletContext } from '../context.ts'
import { takeCredential, tellRequests } from '../findings/take-credential.ts'

export const check = defineCheck<WalletContext>({
  id: 'W57',
  title: 'A token response that is unusual but right is taken',
  level: 'final',
  expectation: 'accept',
  control: 'offers',
  clauses: ['RFC 6749, 5.1'],
  description:
    'token_type does not depend on capitals, expires_in may be missing, and members that are not known are passed over.',
  sends: 'A token response with token_type bearer, no expires_in, a scope and an unknown member.',
  decides: 'The wallet asks for the credential and says that it has it.',
  async run(context) {
    const { session, answer } = await takeCredential(context, {
      behaviour: {
        token: { token_type: 'bearer', expires_in: undefined, scope: 'openid', x_unknown: [{}] },
      },
    })
    return held(`The wallet took the unusual token response: ${tellRequests(session)}`, {
      verdictSource: answer.source,
    })
  },
})
