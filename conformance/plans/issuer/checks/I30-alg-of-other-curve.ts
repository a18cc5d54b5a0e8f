import { defineCheck } from '../../../kit/define-check.ts'
import { expectDeviationsRefused } from '../flow/expect-deviation-refused.ts'
import type { IssuerContext } from '../issuer-context.ts'

export const check = defineCheck<IssuerContext>({
  id: 'I30',
  title: 'A proof whose alg does not fit the curve of the key is none',
  level: 'spec',
  expectation: 'refuse',
  rows: [
    '1.resources-and-their-fields/supported-curves.1',
    '1.resources-and-their-fields/supported-curves.2',
  ],
  clauses: ['OpenID4VCI 1.0, F.4'],
  description:
    'Each curve has one algorithm. Whoever lets the header choose another one verifies with a key that was made for something else.',
  sends: 'A proof whose header names the algorithm of the other curve than the key of kid.',
  decides:
    'The credential endpoint answers with a 4xx and no credential, while the same wallet without the deviation gets one.',
  run: (context) =>
    expectDeviationsRefused(context, {
      'proof-curve-mismatch': { errors: ['invalid_proof'] },
    }),
})
