import { defineCheck } from '../../../kit/define-check.ts'
import { expectDeviationsRefused } from '../flow/expect-deviation-refused.ts'
import type { IssuerContext } from '../issuer-context.ts'

export const check = defineCheck<IssuerContext>({
  id: 'I47',
  title: 'An access token in the address counts for nothing',
  level: 'practice',
  expectation: 'refuse',
  rows: ['1.endpoints/endpoints-an-issuer-exposes-to-the-wallet.7'],
  clauses: ['RFC 9700, 4.3.2'],
  description:
    'Addresses are logged and passed on as Referer; whoever reads them has the token. RFC 9700 forbids it to clients, and RFC 6750 leaves to servers whether they take it.',
  sends:
    'The credential request with access_token in the query and without an Authorization header.',
  decides:
    'The credential endpoint answers with a 4xx and no credential, while the same wallet without the deviation gets one.',
  run: (context) =>
    expectDeviationsRefused(context, {
      'bearer-in-query': {},
    }),
})
