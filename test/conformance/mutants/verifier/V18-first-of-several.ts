import type { Mutant } from '#test/conformance/mutation/mutant.ts'

export const mutant: Mutant = {
  check: 'V18',
  deviation: 'verifies the first of several credentials alone',
  patches: [
    {
      file: 'core/oid4vp/vp-token/vp-token-rules.ts',
      find: 'held.length !== 1',
      replace: '(held.length !== 1 && !(isMutant && held.length > 1))',
    },
  ],
}
