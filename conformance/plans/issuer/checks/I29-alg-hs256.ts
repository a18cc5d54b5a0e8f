import { defineCheck } from '../../../kit/define-check.ts'
import { expectDeviationsRefused } from '../flow/expect-deviation-refused.ts'
import type { IssuerContext } from '../issuer-context.ts'

export const check = defineCheck<IssuerContext>({
  id: 'I29',
  title: 'A proof with a MAC in place of a signature is none',
  level: 'spec',
  expectation: 'refuse',
  rows: ['1.resources-and-their-fields/proof-of-possession-jwt.1'],
  clauses: ['OpenID4VCI 1.0, F.1'],
  description:
    'The public key taken for the secret of a MAC: whoever knows it, and everybody does, can make the proof.',
  sends: 'A proof with alg HS256 whose MAC has the public key for its secret.',
  decides:
    'The credential endpoint answers with a 4xx and no credential, while the same wallet without the deviation gets one.',
  run: (context) =>
    expectDeviationsRefused(context, {
      'proof-hs256': { errors: ['invalid_proof'] },
    }),
})
