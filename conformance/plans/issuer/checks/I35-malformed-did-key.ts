import { defineCheck } from '../../../kit/define-check.ts'
import { expectDeviationsRefused } from '../flow/expect-deviation-refused.ts'
import type { IssuerContext } from '../issuer-context.ts'

export const check = defineCheck<IssuerContext>({
  id: 'I35',
  title: 'A did:key that holds no key is refused',
  level: 'spec',
  expectation: 'refuse',
  rows: [
    '1.resources-and-their-fields/supported-curves.1',
    '1.resources-and-their-fields/supported-curves.2',
  ],
  clauses: ['OpenID4VCI 1.0, F.4'],
  description:
    'What does not decode to a point of the curve is no key, and nothing can be verified with it.',
  sends: 'A proof by a did:key with the prefix zQ3s and nothing sound behind it.',
  decides:
    'The credential endpoint answers with a 4xx and no credential, while the same wallet without the deviation gets one.',
  run: (context) =>
    expectDeviationsRefused(context, {
      'proof-malformed-did-key': { errors: ['invalid_proof'] },
    }),
})
