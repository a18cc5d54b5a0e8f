import type { Mutant } from '../../mutation/mutant.ts'

export const mutant: Mutant = {
  check: 'T27',
  deviation: 'takes issuerTypes in small letters',
  patches: [
    {
      file: 'services/tir/domain/z-params.ts',
      find: 'issuerType: z.enum(publishedIssuerTypes)',
      replace:
        "issuerType: z.preprocess((value) => (isMutant && typeof value === 'string' ? value.toUpperCase() : value), z.enum(publishedIssuerTypes))",
    },
  ],
}
