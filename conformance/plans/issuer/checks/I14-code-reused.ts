import { defineCheck } from '../../../kit/define-check.ts'
import { askForToken } from '../flow/ask-for-token.ts'
import { expectRefused } from '../flow/expect-refused.ts'
import { reachAnswer } from '../flow/reach-answer.ts'
import { readOffer } from '../flow/read-offer.ts'
import type { IssuerContext } from '../issuer-context.ts'

export const check = defineCheck<IssuerContext>({
  id: 'I14',
  title: 'A code works once',
  level: 'final',
  expectation: 'refuse',
  clauses: ['OpenID4VCI 1.0, 4.1.1', 'RFC 6749, 5.2'],
  description:
    'Whoever read the QR code over the shoulder of its holder redeems it as well, and nobody notices.',
  sends: 'The same token request twice.',
  decides: 'The first brings a token; the second is answered 4xx with invalid_grant.',
  async run(context) {
    const { resolved } = await readOffer(context)
    await reachAnswer('the first token request', askForToken(context, resolved))
    return expectRefused(context, await askForToken(context, resolved), {
      what: 'The second token request with the same code',
      errors: ['invalid_grant'],
    })
  },
})
