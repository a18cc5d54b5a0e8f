import type { Mutant } from '#test/conformance/mutation/mutant.ts'

export const mutant: Mutant = {
  check: 'V80',
  deviation: 'takes any root',
  patches: [
    {
      file: 'core/trust/walk-trust-chain.ts',
      find: 'statements.root, rootProblem,',
      replace: 'statements.root, isMutant ? undefined : rootProblem,',
    },
  ],
}
