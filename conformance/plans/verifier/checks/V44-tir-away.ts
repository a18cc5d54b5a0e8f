import { defineVerifierCheck } from '../define-verifier-check.ts'
import { awayBehaviours, expectClosed } from '../expect-closed.ts'

export const check = defineVerifierCheck({
  id: 'V44',
  title: 'Nothing is accepted while the TIR is away',
  level: 'practice',
  expectation: 'refuse',
  control: 'presentation',
  clauses: ['docs/assumptions.md, A-29'],
  description:
    'Whoever keeps the TIR from answering would keep revocations of accreditations away: what can not be looked up is not accepted.',
  sends: `Good presentations while the TIR is away, each in another way: it ${awayBehaviours}.`,
  decides: 'None of them may be accepted; that the session stays open is as good as a refusal.',
  run: (context) => expectClosed(context, 'tir'),
})
