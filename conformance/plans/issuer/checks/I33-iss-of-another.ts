import { defineCheck } from '../../../kit/define-check.ts'
import { expectDeviationsRefused } from '../flow/expect-deviation-refused.ts'
import type { IssuerContext } from '../issuer-context.ts'

export const check = defineCheck<IssuerContext>({
  id: 'I33',
  title: 'A proof whose iss is not the DID of kid is none',
  level: 'spec',
  expectation: 'refuse',
  rows: [
    '1.resources-and-their-fields/proof-of-possession-jwt.1',
    '1.resources-and-their-fields/proof-of-possession-jwt.2',
  ],
  description:
    'An issuer that takes the subject from iss and the key from kid gives a credential about somebody who never asked.',
  sends: 'Proofs with another DID as iss than that of kid, and without iss.',
  decides:
    'The credential endpoint answers each with a 4xx and no credential, while the same wallet without the deviation gets one. Taking a proof without iss is a WARN: OpenID4VCI leaves it out where the wallet is unknown.',
  run: (context) =>
    expectDeviationsRefused(context, {
      'proof-other-iss': { errors: ['invalid_proof'] },
      'proof-missing-iss': { errors: ['invalid_proof'], level: 'practice' },
    }),
})
