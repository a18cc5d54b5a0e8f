import { defineCheck } from '../../../kit/define-check.ts'
import { expectDeviationsRefused } from '../flow/expect-deviation-refused.ts'
import type { IssuerContext } from '../issuer-context.ts'

export const check = defineCheck<IssuerContext>({
  id: 'I36',
  title: 'A proof for another issuer brings no credential',
  level: 'spec',
  expectation: 'refuse',
  rows: ['1.resources-and-their-fields/proof-of-possession-jwt.2'],
  clauses: ['OpenID4VCI 1.0, F.1', 'OpenID4VCI 1.0, F.4'],
  description:
    'An issuer could pass on the proof that it was sent and take a credential in the name of its holder elsewhere.',
  sends: 'Proofs with another issuer as aud, and without aud.',
  decides:
    'The credential endpoint answers each with a 4xx and no credential, while the same wallet without the deviation gets one.',
  run: (context) =>
    expectDeviationsRefused(context, {
      'proof-wrong-aud': { errors: ['invalid_proof'] },
      'proof-missing-aud': { errors: ['invalid_proof'] },
    }),
})
