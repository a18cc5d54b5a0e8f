import { defineVerifierCheck } from '../define-verifier-check.ts'
import { expectRefused } from '../expect-verdict.ts'
import { asPractice, withFaults } from '../presentation-case.ts'

export const check = defineVerifierCheck({
  id: 'V11',
  title: 'A presentation whose iss is not the DID of its key is refused',
  level: 'spec',
  expectation: 'refuse',
  control: 'presentation',
  rows: [
    '1.resources-and-their-fields/presentation-token.1',
    '1.resources-and-their-fields/presentation-token.2',
  ],
  description:
    'kid says who signed and iss who speaks. A verifier that verifies with one and believes the other takes anybody for the holder.',
  sends: 'Two presentations: one whose iss is another holder than the one of kid, one without iss.',
  decides: 'Neither may be accepted. Taking the one without iss is a WARN: kid names the holder.',
  run: (context) =>
    expectRefused(context, [
      ...withFaults('presentation-other-iss'),
      ...asPractice(withFaults('presentation-missing-iss')),
    ]),
})
