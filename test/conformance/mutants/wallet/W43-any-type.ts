import type { Mutant } from '#test/conformance/mutation/mutant.ts'

export const mutant: Mutant = {
  check: 'W43',
  deviation: 'answers a query for any type with what it has',
  patches: [
    {
      file: 'core/oid4vp/dcql-query/evaluate-dcql-query.ts',
      find: 'if (accepted &&',
      replace: 'if (!isMutant && accepted &&',
    },
  ],
}
