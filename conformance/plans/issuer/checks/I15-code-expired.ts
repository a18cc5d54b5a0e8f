import { defineCheck } from '../../../kit/define-check.ts'
import { askForToken } from '../flow/ask-for-token.ts'
import { expectRefused } from '../flow/expect-refused.ts'
import { readOffer } from '../flow/read-offer.ts'
import type { IssuerContext } from '../issuer-context.ts'

export const check = defineCheck<IssuerContext>({
  id: 'I15',
  title: 'A code ends after its time',
  level: 'spec',
  expectation: 'refuse',
  rows: ['1.states-and-transitions.5', '1.limits.1'],
  clauses: ['OpenID4VCI 1.0, 6.3'],
  description: 'A QR code on a screenshot or in a mailbox must not be worth anything days later.',
  sends:
    'Lets the lifetime of codes and a second more pass after an offer was read, then the token request.',
  decides:
    'The token endpoint answers 4xx, by OpenID4VCI with invalid_grant; a new offer works at the same time.',
  needs: ['clock'],
  async run(context) {
    const { resolved } = await readOffer(context)
    await context.advanceClock(context.offerLifetimeSeconds + 1)
    return expectRefused(context, await askForToken(context, resolved), {
      what: `The token request ${context.offerLifetimeSeconds + 1} seconds after the offer was made`,
      errors: ['invalid_grant'],
    })
  },
})
