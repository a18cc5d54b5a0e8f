import type { Mutant } from '#test/conformance/mutation/mutant.ts'

export const mutant: Mutant = {
  check: 'O10',
  deviation: 'gives power as a JSON array',
  patches: [
    {
      file: 'services/idp/domain/map-claims.ts',
      find: "typeof value === 'object' ? JSON.stringify(value) : value",
      replace: "typeof value === 'object' && !isMutant ? JSON.stringify(value) : value",
    },
  ],
}
