import { defineVerifierCheck } from '../define-verifier-check.ts'
import { expectRefused } from '../expect-verdict.ts'
import { withDefects } from '../presentation-case.ts'

export const check = defineVerifierCheck({
  id: 'V26',
  title: 'A credential without powers is refused',
  level: 'spec',
  expectation: 'refuse',
  control: 'presentation',
  rows: ['1.resources-and-their-fields/credential-schema-rules-checked-on-presentation.1'],
  description:
    'A mandate without powers is good for nothing; whoever lets it in gives access that nobody granted.',
  sends:
    'Three credentials: with an empty mandate.power, without one, and with a text in its place.',
  decides: 'None of them may be accepted.',
  run: (context) =>
    expectRefused(context, withDefects('power-empty', 'power-absent', 'power-serialized')),
})
