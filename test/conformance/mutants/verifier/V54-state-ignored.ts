import type { Mutant } from '#test/conformance/mutation/mutant.ts'

export const mutant: Mutant = {
  check: 'V54',
  deviation: 'does not compare state',
  ignoresRules: ['response.state'],
}
