import { defineCheck } from '../../../kit/define-check.ts'
import { expectDeviationsRefused } from '../flow/expect-deviation-refused.ts'
import type { IssuerContext } from '../issuer-context.ts'

export const check = defineCheck<IssuerContext>({
  id: 'I13',
  title: 'A code that the issuer never gave out brings no token',
  level: 'spec',
  expectation: 'refuse',
  rows: ['1.endpoints/endpoints-an-issuer-exposes-to-the-wallet.5'],
  clauses: ['RFC 6749, 3.2', 'RFC 6749, 5.2', 'OpenID4VCI 1.0, 6.3'],
  description: 'Whoever can make up a code gets the credential of somebody else.',
  sends: 'A code of no offer, no code, and a good code twice in one form.',
  decides:
    'The token endpoint answers 4xx: invalid_grant for the unknown one, invalid_request for the others. Another error code is a WARN, and so is taking the form with the code twice.',
  run: (context) =>
    expectDeviationsRefused(context, {
      'token-unknown-code': { errors: ['invalid_grant'] },
      'token-missing-code': { errors: ['invalid_request'] },
      'token-code-twice': { errors: ['invalid_request'], level: 'final' },
    }),
})
