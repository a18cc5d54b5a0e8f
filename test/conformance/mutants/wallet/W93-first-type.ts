import type { Mutant } from '#test/conformance/mutation/mutant.ts'

export const mutant: Mutant = {
  check: 'W93',
  deviation: 'reads the first of the accepted types alone',
  patches: [
    {
      file: 'core/oid4vp/dcql-query/evaluate-dcql-query.ts',
      find: 'accepted.includes(type)',
      replace: '(isMutant ? accepted[0] === type : accepted.includes(type))',
    },
  ],
}
