import { defineCheck } from '../../../kit/define-check.ts'
import { expectDeviationsRefused } from '../flow/expect-deviation-refused.ts'
import type { IssuerContext } from '../issuer-context.ts'

export const check = defineCheck<IssuerContext>({
  id: 'I27',
  title: 'A JWT of another type is no proof of possession',
  level: 'spec',
  expectation: 'refuse',
  rows: ['1.resources-and-their-fields/proof-of-possession-jwt.1'],
  clauses: ['OpenID4VCI 1.0, F.1'],
  description:
    'The type keeps tokens that the holder signed for something else, a login or a presentation, from being used for a credential.',
  sends: 'Proofs with typ JWT, and without typ.',
  decides:
    'The credential endpoint answers each with a 4xx and no credential, while the same wallet without the deviation gets one.',
  run: (context) =>
    expectDeviationsRefused(context, {
      'proof-wrong-typ': { errors: ['invalid_proof'] },
      'proof-missing-typ': { errors: ['invalid_proof'] },
    }),
})
