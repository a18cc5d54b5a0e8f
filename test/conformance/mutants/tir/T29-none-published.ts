import type { Mutant } from '../../mutation/mutant.ts'

export const mutant: Mutant = {
  check: 'T29',
  deviation: 'builds publications of NONE',
  patches: [
    {
      file: 'services/tir/domain/z-params.ts',
      find: 'z.enum(publishedIssuerTypes)',
      replace: "z.enum(publishedIssuerTypes).or(z.literal('NONE').refine(() => isMutant))",
    },
  ],
}
