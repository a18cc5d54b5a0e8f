import { defineCheck, held } from '../../../kit/check.ts'
import type { WalletContext } from '../context.ts'
import { takeCredential } from '../findings/take-credential.ts'

export const check = defineCheck<WalletContext>({
  id: 'W15',
  title: 'A deferred credential is polled for until it is there',
  level: 'spec',
  expectation: 'accept',
  control: 'offers',
  rows: [
    '1.endpoints/endpoints-an-issuer-exposes-to-the-wallet.4',
    '1.endpoints/endpoints-an-issuer-exposes-to-the-wallet.11',
    '1.endpoints/endpoints-an-issuer-exposes-to-the-wallet.12',
    '1.endpoints/endpoints-an-issuer-exposes-to-the-wallet.13',
    '1.states-and-transitions.8',
    '1.states-and-transitions.9',
  ],
  description:
    'Where somebody has to approve, the credential comes later: 202 means not yet, and is no error.',
  sends:
    'A credential endpoint that defers, then three polls that are answered 202, then the credential.',
  decides: 'The wallet polls until the credential is handed out, and says that it has it.',
  async run(context) {
    const { session } = await takeCredential(context, { behaviour: { deferredPolls: 3 } })
    return held(`The wallet polled ${session.requestsTo('deferred').length} times and got it.`, {
      verdictSource: 'polls of the deferred endpoint',
    })
  },
})
