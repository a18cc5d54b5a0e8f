import { held, inconclusive } from '../../../kit/finding.ts'
import { defineVerifierCheck } from '../define-verifier-check.ts'
import { findAcceptance } from '../expect-verdict.ts'
import { withFaults } from '../presentation-case.ts'

export const check = defineVerifierCheck({
  id: 'V51',
  title: 'A session that was refused stays refused',
  level: 'practice',
  expectation: 'refuse',
  control: 'presentation',
  clauses: ['docs/assumptions.md, A-30'],
  description:
    'A session that may be tried again and again is one to guess at; and the browser that was told FAILED is gone.',
  sends: 'A presentation with a wrong signature, and then a good one to the same session.',
  decides: 'The second one may not be accepted.',
  async run(context) {
    const { openRequest, present, observe } = context
    const opened = await openRequest()
    const first = await present(opened, withFaults('presentation-bad-signature')[0])
    const refusal = await observe(opened, first)
    if (refusal.verdict !== 'refused') {
      return inconclusive(`The bad presentation was not refused: ${refusal.reason}`)
    }
    const second = await observe(opened, await present(opened))
    if (second.verdict === 'accepted') {
      return findAcceptance('A good presentation to a session that was refused.', second)
    }
    return held(second.reason, { verdictSource: second.source })
  },
})
