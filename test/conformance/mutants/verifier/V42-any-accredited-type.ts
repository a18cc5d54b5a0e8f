import type { Mutant } from '#test/conformance/mutation/mutant.ts'

export const mutant: Mutant = {
  check: 'V42',
  deviation: 'does not look at what an issuer is accredited for',
  ignoresRules: ['trust.accredited-for'],
}
