import { broken, defineCheck, held, inconclusive } from '../../../kit/check.ts'
import type { WalletContext } from '../context.ts'

export const check = defineCheck<WalletContext>({
  id: 'W12',
  title: 'That the code has expired is shown',
  level: 'spec',
  expectation: 'accept',
  rows: ['1.states-and-transitions.5'],
  description:
    'Codes live for some minutes. Whoever scans too late has to be told why, so that they ask for a new one.',
  sends: 'A token endpoint that answers 400 invalid_grant: The pre-authorized code has expired.',
  decides:
    'The wallet says that it did not get the credential, and says of expiry, or the error of the issuer. That it is refused in other words is a WARN: the documents do not fix them.',
  async run(context) {
    const session = context.openIssuer({
      answers: {
        token: () => ({
          status: 400,
          body: JSON.stringify({
            error: 'invalid_grant',
            error_description: 'The pre-authorized code has expired.',
          }),
        }),
      },
    })
    const answer = await context.wallet.acceptOffer({ link: session.offerByValue() })
    const { outcome, reason, text, source: verdictSource } = answer
    if (session.requestsTo('token').length === 0) {
      return inconclusive(`The wallet never sent the code: ${reason}`, { verdictSource })
    }
    if (outcome === 'done') {
      return broken('The wallet said that it had accepted an offer whose code has expired.', {
        verdictSource,
      })
    }
    if (outcome !== 'refused') return inconclusive(reason, { verdictSource })
    if (context.wallet.by === 'a person') {
      return inconclusive(`What the wallet shows, the kit can't see: ${reason}`, { verdictSource })
    }
    return /expired|invalid_grant/i.test(`${reason} ${text}`)
      ? held(`The wallet said why: ${reason}`, { verdictSource })
      : broken(`The wallet did not say that the code has expired: ${reason}`, {
          verdictSource,
          level: 'practice',
        })
  },
})
