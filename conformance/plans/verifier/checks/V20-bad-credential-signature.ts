import { defineVerifierCheck } from '../define-verifier-check.ts'
import { expectRefused } from '../expect-verdict.ts'
import { withDefects, withFaults } from '../presentation-case.ts'

export const check = defineVerifierCheck({
  id: 'V20',
  title: 'A credential with a wrong signature is refused',
  level: 'spec',
  expectation: 'refuse',
  control: 'presentation',
  rows: [
    '1.resources-and-their-fields/credential-schema-rules-checked-on-presentation.6',
    '1.states-and-transitions.7',
  ],
  description:
    'The credential is what the issuer says of its holder; without its signature the holder says it.',
  sends:
    "Three credentials: with a bit of the signature turned, signed by a strange key under the issuer's kid, and with another employeeId written into it.",
  decides: 'None of them may be accepted.',
  run: (context) =>
    expectRefused(context, [
      ...withDefects('bad-signature', 'signed-by-strange-key'),
      ...withFaults('presentation-tampered-credential'),
    ]),
})
