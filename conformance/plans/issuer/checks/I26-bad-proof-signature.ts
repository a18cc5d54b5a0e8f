import { defineCheck } from '../../../kit/define-check.ts'
import { expectDeviationsRefused } from '../flow/expect-deviation-refused.ts'
import type { IssuerContext } from '../issuer-context.ts'

export const check = defineCheck<IssuerContext>({
  id: 'I26',
  title: 'A proof of possession whose signature is wrong brings no credential',
  level: 'spec',
  expectation: 'refuse',
  rows: ['1.resources-and-their-fields/proof-of-possession-jwt.1', '1.authentication.7'],
  clauses: ['OpenID4VCI 1.0, F.4', 'RFC 7518, 3.4', 'RFC 8032, 5.1.7'],
  description: "Without it, whoever knows somebody's DID has a credential issued in their name.",
  sends:
    "Proofs with a turned bit in the signature, signed by somebody else's key, with the signature in ASN.1, and with S of EdDSA out of range.",
  decides:
    'The credential endpoint answers each with a 4xx and no credential, while the same wallet without the deviation gets one. Taking ASN.1 or an S out of range is a WARN.',
  run: (context) =>
    expectDeviationsRefused(context, {
      'proof-bad-signature': { errors: ['invalid_proof'] },
      'proof-other-key': { errors: ['invalid_proof'] },
      'proof-der-signature': { errors: ['invalid_proof'], level: 'final' },
      'proof-order-added': { errors: ['invalid_proof'], level: 'final' },
    }),
})
