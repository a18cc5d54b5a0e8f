import { defineVerifierCheck } from '../define-verifier-check.ts'
import { expectRefused } from '../expect-verdict.ts'
import { asPractice, withFaults } from '../presentation-case.ts'

export const check = defineVerifierCheck({
  id: 'V16',
  title: 'A presentation of another typ is refused',
  level: 'spec',
  expectation: 'refuse',
  control: 'presentation',
  rows: ['1.resources-and-their-fields/presentation-token.1'],
  description:
    'typ keeps tokens apart: a proof of possession that a holder made for an issuer is no presentation.',
  sends: 'Two presentations: one typed as a proof of possession, one without typ.',
  decides:
    'Neither may be accepted. Taking the one without typ is a WARN: it is taken for nothing else.',
  run: (context) =>
    expectRefused(context, [
      ...withFaults('presentation-wrong-typ'),
      ...asPractice(withFaults('presentation-missing-typ')),
    ]),
})
