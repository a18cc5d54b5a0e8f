import { defineCheck } from '../../../kit/define-check.ts'
import { expectDeviationsRefused } from '../flow/expect-deviation-refused.ts'
import type { IssuerContext } from '../issuer-context.ts'

export const check = defineCheck<IssuerContext>({
  id: 'I12',
  title: 'Another grant type than the pre-authorized code brings no token',
  level: 'spec',
  expectation: 'refuse',
  rows: ['1.endpoints/endpoints-an-issuer-exposes-to-the-wallet.5'],
  clauses: ['RFC 6749, 5.2'],
  description: 'An issuer that does not look at the grant type takes a code for what it is not.',
  sends: 'A good code with the grant_type authorization_code, and without a grant_type.',
  decides:
    'The token endpoint answers 4xx: unsupported_grant_type for another one, or invalid_request where it knows that one and misses its code; invalid_request for none. Another error code is a WARN.',
  run: (context) =>
    expectDeviationsRefused(context, {
      'token-wrong-grant-type': { errors: ['unsupported_grant_type', 'invalid_request'] },
      'token-missing-grant-type': { errors: ['invalid_request'] },
    }),
})
