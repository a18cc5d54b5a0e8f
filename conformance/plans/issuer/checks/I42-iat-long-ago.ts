import { defineCheck } from '../../../kit/define-check.ts'
import { expectDeviationsRefused } from '../flow/expect-deviation-refused.ts'
import type { IssuerContext } from '../issuer-context.ts'

export const check = defineCheck<IssuerContext>({
  id: 'I42',
  title: 'A proof of long ago is refused',
  level: 'final',
  expectation: 'refuse',
  rows: ['1.resources-and-their-fields/proof-of-possession-jwt.2'],
  clauses: ['OpenID4VCI 1.0, F.4'],
  description:
    'The creation time has to be within an acceptable window, or recorded proofs are good for longer than their holder means.',
  sends: 'Proofs with an iat an hour ago, without iat, and with an exp that is past.',
  decides:
    'The credential endpoint answers each with a 4xx and no credential, while the same wallet without the deviation gets one.',
  run: (context) =>
    expectDeviationsRefused(context, {
      'proof-iat-old': { errors: ['invalid_proof'] },
      'proof-missing-iat': { errors: ['invalid_proof'] },
      'proof-expired': { errors: ['invalid_proof'] },
    }),
})
