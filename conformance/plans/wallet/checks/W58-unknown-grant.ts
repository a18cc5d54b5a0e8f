import { defineCheck, held } from '../../../kit/check.ts'
import type { WalletContext } from '../context.ts'
import { takeCredential } from '../findings/take-credential.ts'

export const check = defineCheck<WalletContext>({
  id: 'W58',
  title: 'A grant that is not known is passed over',
  level: 'final',
  expectation: 'accept',
  control: 'offers',
  clauses: ['OpenID4VCI 1.0, 4.1.1'],
  description:
    'An issuer may offer several ways to the credential. The one that the wallet knows is enough.',
  sends: 'An offer with an unknown grant and authorization_code beside the pre-authorized code.',
  decides: 'The wallet takes the way of the pre-authorized code.',
  async run(context) {
    const { answer } = await takeCredential(context, {
      behaviour: {
        otherGrants: {
          authorization_code: { issuer_state: 'a-state' },
          'urn:example:grant-type:unknown': { list: [1] },
        },
      },
    })
    return held('The wallet took the pre-authorized code and passed the other grants over.', {
      verdictSource: answer.source,
    })
  },
})
