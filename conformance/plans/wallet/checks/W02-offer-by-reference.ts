import { broken, defineCheck, held } from '../../../kit/check.ts'
import type { WalletContext } from '../context.ts'
import { takeCredential, tellRequests } from '../findings/take-credential.ts'

export const check = defineCheck<WalletContext>({
  id: 'W02',
  title: 'An offer at an address is fetched and taken',
  level: 'spec',
  expectation: 'accept',
  control: 'offers',
  rows: ['1.resources-and-their-fields/credential-offer-object.6'],
  description:
    'Long offers do not fit into a QR code: issuers then hand out the address of the offer.',
  sends:
    'A link openid-credential-offer://?credential_offer_uri=… whose address answers the offer.',
  decides:
    'The wallet asks for the offer, the kit hands the credential out, and the wallet says that it has it.',
  async run(context) {
    const { session } = await takeCredential(context, { delivery: 'reference' })
    return session.requestsTo('offer').length > 0
      ? held(`The wallet fetched the offer and took it: ${tellRequests(session)}`, {
          verdictSource: 'requests for the offer',
        })
      : broken('The wallet never fetched the offer.', { verdictSource: 'requests for the offer' })
  },
})
