import { broken, defineCheck, held } from '../../../kit/check.ts'
import type { WalletContext } from '../context.ts'
import { takeCredential } from '../findings/take-credential.ts'

export const check = defineCheck<WalletContext>({
  id: 'W03',
  title: 'An offer that asks for no PIN is taken without one',
  level: 'spec',
  expectation: 'accept',
  rows: [
    '1.resources-and-their-fields/credential-offer-object.4',
    '1.endpoints/endpoints-an-issuer-exposes-to-the-wallet.5',
  ],
  description:
    'Issuers leave tx_code out entirely where no PIN is required; a wallet that needs one there takes no such offer.',
  sends: 'An offer without tx_code, and no PIN to the wallet.',
  decides: 'The credential is handed out, and the token request carries no tx_code.',
  async run(context) {
    const { session } = await takeCredential(context)
    const [request] = session.requestsTo('token')
    const verdictSource = 'token request'
    const sent = new URLSearchParams(request?.body).get('tx_code')
    return sent === null
      ? held('The wallet took the offer without a PIN.', { verdictSource })
      : broken('The token request carries a tx_code, though the offer asks for none.', {
          verdictSource,
          actual: sent,
        })
  },
})
