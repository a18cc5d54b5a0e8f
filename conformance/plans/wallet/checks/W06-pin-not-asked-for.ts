import { broken, defineCheck, held, inconclusive } from '../../../kit/check.ts'
import type { WalletContext } from '../context.ts'

export const check = defineCheck<WalletContext>({
  id: 'W06',
  title: 'A PIN that the offer does not ask for is not sent',
  level: 'spec',
  expectation: 'accept',
  rows: [
    '1.endpoints/endpoints-an-issuer-exposes-to-the-wallet.5',
    '1.resources-and-their-fields/credential-offer-object.4',
  ],
  description:
    'A PIN is sent where the offer required one. A wallet that always asks gets people used to typing PINs anywhere.',
  sends: 'An offer without tx_code, and a PIN to the wallet all the same.',
  decides: 'The token request carries no tx_code, and the credential is handed out.',
  async run(context) {
    const session = context.openIssuer()
    const { outcome, reason } = await context.wallet.acceptOffer({
      link: session.offerByValue(),
      pin: '4935',
    })
    const verdictSource = 'token request'
    const [request] = session.requestsTo('token')
    const sent = new URLSearchParams(request?.body).get('tx_code')
    if (sent !== null && sent !== '') {
      return broken('The wallet sent a PIN that the offer did not ask for.', {
        verdictSource,
        actual: sent,
      })
    }
    const [credential] = session.delivered
    if (outcome !== 'done' || credential === undefined) return inconclusive(reason)
    context.noteHeld(credential)
    return held('The wallet took the offer and kept the PIN to itself.', { verdictSource })
  },
})
