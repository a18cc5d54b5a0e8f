import { defineCheck } from '../../../define-check.ts'
import { expectDeviationsRefused } from '../flow/expect-deviation-refused.ts'
import type { IssuerContext } from '../issuer-context.ts'

export const check = defineCheck<IssuerContext>({
  id: 'I26',
  title: 'A proof of possession whose signature is wrong brings no credential',
  level: 'spec',
  expectation: 'refuse',
  rows: ['1.resources-and-their-fields/proof-of-possession-jwt.1', '1.authentication.7'],
  clauses: ['OpenID4VCI 1.0, F.4'],
  description:
    "Without it, whoever knows somebody's DID has a credential issued in their name, and nothing binds it to a key.",
  sends:
    "Proofs with a turned bit in the signature, signed by somebody else's key, and with a signature in ASN.1, each by an offer of its own.",
  decides: 'The credential endpoint answers each with a 4xx and no credential.',
  run: (context) =>
    expectDeviationsRefused(
      context,
      ['proof-bad-signature', 'proof-other-key', 'proof-der-signature', 'proof-order-added'],
      { errors: ['invalid_proof'] },
    ),
})
