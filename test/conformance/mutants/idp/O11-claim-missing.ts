import type { Mutant } from '#test/conformance/mutation/mutant.ts'

export const mutant: Mutant = {
  check: 'O11',
  deviation: 'leaves organization_identifier out',
  patches: [
    {
      file: 'services/idp/domain/map-claims.ts',
      find: 'if (values.length === 0) continue',
      replace:
        "if (values.length === 0 || (isMutant && claim === 'organization_identifier')) continue",
    },
  ],
}
