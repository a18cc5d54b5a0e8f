import type { Mutant } from '#test/conformance/mutation/mutant.ts'

export const mutant: Mutant = {
  check: 'V86',
  deviation: 'does not compare sub with the subject',
  patches: [
    {
      file: 'core/lear-credential/rules/holder-rule.ts',
      find: 'sub !== id',
      replace: '(sub !== id && !(isMutant))',
    },
  ],
}
