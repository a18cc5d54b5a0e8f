import type { Mutant } from '#test/conformance/mutation/mutant.ts'

export const mutant: Mutant = {
  check: 'V65',
  deviation: 'walks three hops at most',
  patches: [
    {
      file: 'core/trust/walk-trust-chain.ts',
      find: 'index + 1 < mostHops',
      replace: 'index + 1 < (isMutant ? 3 : mostHops)',
    },
  ],
}
