import type { Mutant } from '../../mutation/mutant.ts'

export const mutant: Mutant = {
  check: 'T28',
  deviation: 'takes numbers for issuerTypes',
  patches: [
    {
      file: 'services/tir/domain/z-params.ts',
      find: 'z.enum(publishedIssuerTypes)',
      replace:
        "z.preprocess((value) => (isMutant && typeof value === 'number' ? publishedIssuerTypes[value - 1] : value), z.enum(publishedIssuerTypes))",
    },
  ],
}
