import { broken, defineCheck, held, inconclusive } from '../../../kit/check.ts'
import type { WalletContext } from '../context.ts'
import { membersIn } from '../counterparts/members-in.ts'

export const check = defineCheck<WalletContext>({
  id: 'W85',
  title: 'A new acceptance_token of a 202 is used from then on',
  level: 'practice',
  expectation: 'accept',
  description:
    'An issuer may hand out another token with each answer that defers; the used one is worth nothing then.',
  sends:
    'A credential endpoint that defers, and polls that are answered 202 with a new acceptance_token each.',
  decides: 'Each poll carries the newest token.',
  async run(context) {
    const session = context.openIssuer({
      deferredPolls: 2,
      pending: (nth) => ({ acceptance_token: `acceptance-${nth}` }),
    })
    const { reason } = await context.wallet.acceptOffer({ link: session.offerByValue() })
    const tokens = session
      .requestsTo('deferred')
      .map(({ body }) => membersIn(body)?.acceptance_token)
    const verdictSource = 'polls of the deferred endpoint'
    if (tokens.length < 2) return inconclusive(`The wallet did not poll twice: ${reason}`)
    const stale = tokens.findIndex((token, index) => token !== `acceptance-${index}`)
    return stale === -1
      ? held('Each poll carried the newest acceptance_token.', { verdictSource })
      : broken(`Poll ${stale + 1} does not carry the newest acceptance_token.`, {
          verdictSource,
          expected: `acceptance-${stale}`,
          actual: tokens[stale],
        })
  },
})
