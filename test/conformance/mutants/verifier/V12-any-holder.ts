import type { Mutant } from '#test/conformance/mutation/mutant.ts'

export const mutant: Mutant = {
  check: 'V12',
  deviation: "takes somebody else's credential",
  patches: [
    {
      file: 'core/lear-credential/rules/holder-rule.ts',
      find: 'id !== holderDid',
      replace: '(id !== holderDid && !(isMutant))',
    },
  ],
}
