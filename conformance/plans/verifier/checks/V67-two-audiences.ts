import { defineVerifierCheck } from '../define-verifier-check.ts'
import { expectRefused } from '../expect-verdict.ts'
import { withFaults } from '../presentation-case.ts'

export const check = defineVerifierCheck({
  id: 'V67',
  title: 'A presentation for several verifiers is refused',
  level: 'practice',
  expectation: 'refuse',
  control: 'presentation',
  clauses: ['docs/assumptions.md, A-28'],
  description:
    'Each of the verifiers could show it to the others: client_id must equal the aud, and a list that has it among others does not.',
  sends: 'A presentation whose aud is a list of this verifier and another one.',
  decides: 'It may not be accepted.',
  run: (context) => expectRefused(context, withFaults('presentation-two-audiences')),
})
