import { defineCheck } from '../../../kit/define-check.ts'
import { expectDeviationsRefused } from '../flow/expect-deviation-refused.ts'
import type { IssuerContext } from '../issuer-context.ts'

export const check = defineCheck<IssuerContext>({
  id: 'I28',
  title: 'A proof that is not signed is none',
  level: 'spec',
  expectation: 'refuse',
  rows: ['1.resources-and-their-fields/proof-of-possession-jwt.1'],
  clauses: ['OpenID4VCI 1.0, F.1'],
  description: 'Libraries that honour alg none accept whatever anybody writes.',
  sends: 'A proof whose header has alg none, with an empty signature.',
  decides:
    'The credential endpoint answers with a 4xx and no credential, while the same wallet without the deviation gets one.',
  run: (context) =>
    expectDeviationsRefused(context, {
      'proof-alg-none': { errors: ['invalid_proof'] },
    }),
})
