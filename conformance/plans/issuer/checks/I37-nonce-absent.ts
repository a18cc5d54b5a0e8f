import { defineCheck } from '../../../kit/define-check.ts'
import { expectDeviationsRefused } from '../flow/expect-deviation-refused.ts'
import type { IssuerContext } from '../issuer-context.ts'

export const check = defineCheck<IssuerContext>({
  id: 'I37',
  title: 'A proof without a nonce is none',
  level: 'spec',
  expectation: 'refuse',
  rows: ['1.resources-and-their-fields/proof-of-possession-jwt.2'],
  clauses: ['OpenID4VCI 1.0, F.4'],
  description: 'Without the c_nonce a proof that was recorded once works for ever.',
  sends: 'A proof without nonce.',
  decides:
    'The credential endpoint answers with a 4xx and no credential, while the same wallet without the deviation gets one.',
  run: (context) =>
    expectDeviationsRefused(context, {
      'proof-missing-nonce': { errors: ['invalid_proof', 'invalid_nonce'] },
    }),
})
