import { defineCheck } from '../../../kit/define-check.ts'
import { expectDeviationsRefused } from '../flow/expect-deviation-refused.ts'
import type { IssuerContext } from '../issuer-context.ts'

export const check = defineCheck<IssuerContext>({
  id: 'I11',
  title: 'A token request that is no form brings no token',
  level: 'final',
  expectation: 'refuse',
  rows: [
    '1.endpoints/endpoints-an-issuer-exposes-to-the-wallet.2',
    '1.endpoints/endpoints-an-issuer-exposes-to-the-wallet.5',
  ],
  clauses: ['OpenID4VCI 1.0, 6.1', 'RFC 6749, 3.2'],
  description:
    'Parameters in an address end up in logs and histories, and an issuer that takes any body is open to requests that other sites make.',
  sends:
    'The parameters as JSON, in the address with an empty body, and by GET, each with the code of an offer of its own.',
  decides:
    'The token endpoint answers each with a 4xx and no token, while the form as documented gets one.',
  run: (context) =>
    expectDeviationsRefused(context, {
      'token-json-body': {},
      'token-query-parameters': {},
      'token-by-get': {},
    }),
})
