import type { Mutant } from '#test/conformance/mutation/mutant.ts'

export const mutant: Mutant = {
  check: 'V09',
  deviation: 'takes presentations that have expired',
  patches: [
    {
      file: 'core/oid4vp/vp-token/vp-token-rules.ts',
      find: 'now >= exp',
      replace: '(now >= exp && !(isMutant))',
    },
  ],
}
