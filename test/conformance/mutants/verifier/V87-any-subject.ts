import type { Mutant } from '#test/conformance/mutation/mutant.ts'

export const mutant: Mutant = {
  check: 'V87',
  deviation: 'does not look at whom an accreditation is about',
  ignoresRules: ['trust.subject'],
}
