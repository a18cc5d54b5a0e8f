import type { Mutant } from '#test/conformance/mutation/mutant.ts'

export const mutant: Mutant = {
  check: 'V79',
  deviation: 'does not verify who signed an accreditation',
  ignoresRules: ['trust.signature'],
}
