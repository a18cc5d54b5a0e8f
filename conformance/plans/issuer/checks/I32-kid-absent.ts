import { defineCheck } from '../../../kit/define-check.ts'
import { expectDeviationsRefused } from '../flow/expect-deviation-refused.ts'
import type { IssuerContext } from '../issuer-context.ts'

export const check = defineCheck<IssuerContext>({
  id: 'I32',
  title: 'A proof that does not name its key is none',
  level: 'spec',
  expectation: 'refuse',
  rows: ['1.resources-and-their-fields/proof-of-possession-jwt.1'],
  clauses: ['OpenID4VCI 1.0, F.1'],
  description:
    'kid says whose key signed. An issuer that guesses may bind the credential to another DID than the holder showed.',
  sends: 'Proofs without kid, and with the DID alone for kid, which names no key.',
  decides:
    'The credential endpoint answers each with a 4xx and no credential, while the same wallet without the deviation gets one. Taking the DID alone is a WARN.',
  run: (context) =>
    expectDeviationsRefused(context, {
      'proof-missing-kid': { errors: ['invalid_proof'] },
      // A DID is a DID URL too (DID Core 1.0, 3.2), and that of did:key and did:jwk has but one key.
      'proof-kid-without-fragment': { errors: ['invalid_proof'], level: 'practice' },
    }),
})
