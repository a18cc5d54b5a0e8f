import { defineCheck } from '../../../kit/define-check.ts'
import { expectDeviationsRefused } from '../flow/expect-deviation-refused.ts'
import type { IssuerContext } from '../issuer-context.ts'

export const check = defineCheck<IssuerContext>({
  id: 'I18',
  title: 'A PIN that nobody asked for is refused',
  level: 'final',
  expectation: 'refuse',
  clauses: ['OpenID4VCI 1.0, 6.3'],
  description:
    'A wallet that sends one shows its holder another offer than the one it redeems: the two were mixed up, or somebody did that.',
  sends: 'A tx_code with the code of an offer that has none.',
  decides: 'The token endpoint answers 4xx with invalid_request.',
  run: (context) =>
    expectDeviationsRefused(context, {
      'pin-unasked': { errors: ['invalid_request'] },
    }),
})
