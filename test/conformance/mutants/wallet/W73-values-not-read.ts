import type { Mutant } from '#test/conformance/mutation/mutant.ts'

export const mutant: Mutant = {
  check: 'W73',
  deviation: 'does not look at the values of a query',
  patches: [
    {
      file: 'core/oid4vp/dcql-query/evaluate-dcql-query.ts',
      find: 'values === undefined ||',
      replace: 'isMutant || values === undefined ||',
    },
  ],
}
