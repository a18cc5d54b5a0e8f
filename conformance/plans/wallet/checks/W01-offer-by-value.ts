import { broken, defineCheck, held, inconclusive } from '../../../kit/check.ts'
import type { WalletContext } from '../context.ts'
import { listsCredential } from '../findings/find-credential-not-kept.ts'
import { takeCredential, tellRequests } from '../findings/take-credential.ts'

export const check = defineCheck<WalletContext>({
  id: 'W01',
  title: 'An offer in the link itself is taken',
  level: 'spec',
  expectation: 'accept',
  rows: [
    '1.resources-and-their-fields/credential-offer-object.1',
    '1.resources-and-their-fields/credential-offer-object.2',
    '1.resources-and-their-fields/credential-offer-object.3',
    '1.resources-and-their-fields/credential-offer-object.5',
    '1.what-the-service-does.3',
  ],
  description:
    'What stands in a QR code as a whole has to be understood; nothing else works without it.',
  sends:
    'A link openid-credential-offer://?credential_offer=… of an issuer that is as good as can be.',
  decides:
    'The kit hands the credential out, the wallet says that it has it, and its list holds it.',
  async run(context) {
    const { session, answer, credential } = await takeCredential(context)
    const { wallet } = context
    const told = `The wallet took the offer by value: ${tellRequests(session)}`
    if (!wallet.can.list) return held(told, { verdictSource: answer.source })
    const { credentials, outcome, reason, source: verdictSource } = await wallet.list()
    if (outcome !== 'done') return inconclusive(`${told} ${reason}`, { verdictSource })
    return listsCredential(credentials, credential)
      ? held(`${told} Its list holds the credential.`, { verdictSource })
      : broken('The wallet said that it has the credential, but does not list it.', {
          verdictSource,
        })
  },
})
