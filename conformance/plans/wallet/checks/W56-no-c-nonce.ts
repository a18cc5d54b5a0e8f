import { defineCheck, held } from '../../../kit/check.ts'
import type { WalletContext } from '../context.ts'
import { takeCredential, tellRequests } from '../findings/take-credential.ts'

export const check = defineCheck<WalletContext>({
  id: 'W56',
  title: 'A token response without c_nonce leads to a credential request',
  level: 'spec',
  expectation: 'accept',
  control: 'offers',
  rows: ['1.endpoints/endpoints-an-issuer-exposes-to-the-wallet.6'],
  description: 'c_nonce is optional: it is there where the issuer demands proof of possession.',
  sends: 'A token response with access_token, token_type and expires_in alone.',
  decides: 'The wallet asks for the credential and says that it has it.',
  async run(context) {
    const { session, answer } = await takeCredential(context, {
      behaviour: { token: { c_nonce: undefined, c_nonce_expires_in: undefined } },
    })
    return held(`The wallet went on without a c_nonce: ${tellRequests(session)}`, {
      verdictSource: answer.source,
    })
  },
})
