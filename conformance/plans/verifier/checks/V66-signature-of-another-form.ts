import { createAccount } from '#wallet-emulator/keys/create-account.ts'
import { defineVerifierCheck } from '../define-verifier-check.ts'
import { expectRefused } from '../expect-verdict.ts'
import { withFaults } from '../presentation-case.ts'

export const check = defineVerifierCheck({
  id: 'V66',
  title: 'A presentation with a signature in another form is refused',
  level: 'final',
  expectation: 'refuse',
  control: 'presentation',
  clauses: ['RFC 7518, 3.4', 'RFC 8812, 3.2', 'RFC 8032, 5.1.7'],
  description:
    'Whoever takes other forms too has several signatures for one message, and a second parser to attack.',
  sends:
    'Two presentations: an ES256K signature in ASN.1 DER, as OpenSSL makes it, and an EdDSA signature whose S is larger than the order of the curve.',
  decides: 'None of them may be accepted.',
  run: (context) =>
    expectRefused(context, [
      ...withFaults('presentation-der-signature'),
      ...withFaults('presentation-order-added').map((each) => ({
        ...each,
        account: createAccount({ curve: 'Ed25519' }),
      })),
    ]),
})
