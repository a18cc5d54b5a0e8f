import { defineVerifierCheck } from '../define-verifier-check.ts'
import { expectRefused } from '../expect-verdict.ts'
import { withDefects } from '../presentation-case.ts'

export const check = defineVerifierCheck({
  id: 'V86',
  title: 'A credential whose sub is not its subject is refused',
  level: 'practice',
  expectation: 'refuse',
  control: 'presentation',
  clauses: ['docs/assumptions.md, A-28'],
  description:
    'Who compares the presenter with sub, and who with credentialSubject.id, has to come to the same.',
  sends: 'A credential whose sub is somebody else than credentialSubject.id.',
  decides: 'It may not be accepted.',
  run: (context) => expectRefused(context, withDefects('sub-mismatch')),
})
