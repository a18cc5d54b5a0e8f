import { defineVerifierCheck } from '../define-verifier-check.ts'
import { expectRefused } from '../expect-verdict.ts'
import { withFaults } from '../presentation-case.ts'

export const check = defineVerifierCheck({
  id: 'V14',
  title: 'A presentation with HS256 is refused',
  level: 'spec',
  expectation: 'refuse',
  control: 'presentation',
  rows: ['1.resources-and-their-fields/presentation-token.1'],
  description:
    "A library that lets the header choose takes the holder's public key for the secret of a MAC, and everybody has the public key.",
  sends: 'A presentation with a MAC whose secret is the public key.',
  decides: 'It may not be accepted.',
  run: (context) => expectRefused(context, withFaults('presentation-hs256')),
})
