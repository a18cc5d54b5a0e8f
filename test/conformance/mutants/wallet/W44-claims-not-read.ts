import type { Mutant } from '#test/conformance/mutation/mutant.ts'

export const mutant: Mutant = {
  check: 'W44',
  deviation: 'does not look whether a credential contains the claims',
  patches: [
    {
      file: 'core/oid4vp/dcql-query/evaluate-dcql-query.ts',
      find: 'return found.some(',
      replace: 'return (isMutant && found.length === 0) || found.some(',
    },
  ],
}
