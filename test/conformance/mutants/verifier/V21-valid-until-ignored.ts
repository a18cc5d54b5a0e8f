import type { Mutant } from '#test/conformance/mutation/mutant.ts'

export const mutant: Mutant = {
  check: 'V21',
  deviation: 'looks at exp alone and not at validUntil',
  patches: [
    {
      file: 'core/lear-credential/rules/period-rules.ts',
      find: 'now > validUntil',
      replace: '(now > validUntil && !(isMutant))',
    },
  ],
}
