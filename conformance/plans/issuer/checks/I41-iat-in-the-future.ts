import { defineCheck } from '../../../kit/define-check.ts'
import { expectDeviationsRefused } from '../flow/expect-deviation-refused.ts'
import type { IssuerContext } from '../issuer-context.ts'

export const check = defineCheck<IssuerContext>({
  id: 'I41',
  title: 'A proof of the future is refused',
  level: 'final',
  expectation: 'refuse',
  rows: ['1.resources-and-their-fields/proof-of-possession-jwt.2'],
  clauses: ['OpenID4VCI 1.0, F.4'],
  description: 'Proofs made ahead of time can be kept for later.',
  sends: 'Proofs with an iat an hour ahead, and with an nbf an hour ahead.',
  decides:
    'The credential endpoint answers each with a 4xx and no credential, while the same wallet without the deviation gets one.',
  run: (context) =>
    expectDeviationsRefused(context, {
      'proof-iat-future': { errors: ['invalid_proof'] },
      'proof-not-yet-valid': { errors: ['invalid_proof'] },
    }),
})
