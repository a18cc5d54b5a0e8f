import type { Mutant } from '#test/conformance/mutation/mutant.ts'

export const mutant: Mutant = {
  check: 'V11',
  deviation: 'does not compare iss with kid',
  ignoresRules: ['presentation.issuer'],
}
