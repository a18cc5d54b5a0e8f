import { defineVerifierCheck } from '../define-verifier-check.ts'
import { expectRefused } from '../expect-verdict.ts'
import { withFaults } from '../presentation-case.ts'

export const check = defineVerifierCheck({
  id: 'V15',
  title: 'A presentation whose alg is not that of its key is refused',
  level: 'spec',
  expectation: 'refuse',
  control: 'presentation',
  rows: [
    '1.resources-and-their-fields/presentation-token.1',
    '1.resources-and-their-fields/supported-curves.1',
    '1.resources-and-their-fields/supported-curves.2',
  ],
  description:
    'ES256K goes with secp256k1 and EdDSA with Ed25519; a verifier that looks at the key alone lets the header say what it likes.',
  sends: 'A presentation signed with ES256K whose header says EdDSA.',
  decides: 'It may not be accepted.',
  run: (context) => expectRefused(context, withFaults('presentation-curve-mismatch')),
})
